import { expect } from 'vitest'
import { getBatchSummary } from '../../../app/domain/batches/batch-list.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { getBatch } from '../../../app/domain/batches/queries.server'
import { startBatchForm } from '../../../app/domain/batches/schemas'
import { startBatchFromCall } from '../../../app/domain/batches/start-batch-call.server'
import {
  pauseBatch,
  resumeBatch,
  stopAfterRound,
} from '../../../app/domain/batches/steer-batch.server'
import { leaveLine, moveUpInLine } from '../../../app/domain/batches/steer-line.server'
import { undoLeaving, undoRemoval } from '../../../app/domain/batches/undo-removal.server'
import {
  editWaitingPrompt,
  listWaitingPrompts,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { hashOf } from '../../simulator/orders'
import { acceptedFrom, bulk, generate } from '../engine/actions'
import { drawPicture } from '../pictures'
import {
  deleteOwner,
  disable,
  enable,
  expire,
  lowerLimit,
  makeTrial,
  quotaAgrees,
  raiseLimit,
  renewOne,
  restoreOwner,
  unitsOf,
} from './account-acts'
import { DONE, type Act, type Refusal, type Thing } from './thing'
import { MOST_PER_NETWORK, toNextDay, type World } from './world'

/** A prompt of a batch that has not been sent. */
export type Prompt = {
  person: UserCtx
  batchId: string
  /** The hash of the picture with which the video of each prompt begins, by its text; null: none. */
  pictures: Map<string, string | null>
  /** The one that was removed last. One of a later day was removed before everything else. */
  removed: string
}

const TRAITS = ['of a trial', 'of one day', 'with a picture', 'in line', 'left the line'] as const
type Trait = (typeof TRAITS)[number]

const FILES = [
  { name: 'boat.png', data: drawPicture(90, 160).toString('base64') },
  { name: 'flag.png', data: drawPicture(160, 90).toString('base64') },
]

let scenes = 0

/** Seven prompts at three videos a day: one is sent, two await rounds, four later days. One was removed. */
async function open(world: World, person: UserCtx, traits: ReadonlySet<Trait>): Promise<Prompt> {
  const { engine } = world
  const number = ++scenes
  if (traits.has('of a trial')) await makeTrial(world, person, `10.0.${number}`)
  const isInLine = traits.has('in line') || traits.has('left the line')
  if (isInLine) await bulk(person, 1)
  const count = 1 + (traits.has('of one day') ? (isInLine ? 2 : 3) : 7)
  const words = Array.from({ length: count }, (_, i) => `scene ${number} prompt ${i + 1}`)
  const withPictures = traits.has('with a picture')
  const names = words.map((_, i) => [null, 'boat.png', 'flag.png'][i % 3] ?? null)
  const { batchId } = await startBatchFromCall(person, {
    ...startBatchForm.parse({ promptLines: words.join('\n') }),
    carryOver: true,
    ...(isInLine && { queue: true }),
    ...(withPictures && { named: names, files: FILES.filter(({ name }) => names.includes(name)) }),
  })
  acceptedFrom(person.db).batches.set(batchId, { userId: person.actor.id, total: count })
  const { rows } = await engine.pool.query<{ prompt: string; hash: string | null }>(
    `${ALL_PROMPTS} order by place`,
    [batchId],
  )
  expect(rows.map(({ prompt }) => prompt)).toEqual(words)
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(withPictures ? Math.min(3, count) : 1)
  const removed = (await listWaitingPrompts(person, batchId)).at(-1)?.id ?? 'none'
  await removeWaitingPrompt(person, { batchId, videoId: removed })
  if (traits.has('left the line')) await leaveLine(person, batchId)
  const pictures = new Map(rows.map(({ prompt, hash }) => [prompt, hash]))
  return { person, batchId, pictures, removed }
}

/** The prompts of a batch, videos and those of later days, with the pictures of their videos. */
const ALL_PROMPTS = `
  select all_of.*, order_pictures.sha256 as hash from (
    select id, prompt, coalesce(home_position, batch_position) as place, status::text, error_code as code,
      awaits_round as waits, false as carried, deleted_at is not null as gone
    from videos where coalesce(home_batch_id, batch_id) = $1
    union all
    select id, prompt, position, 'carried', null, true, true, false from carried_prompts where batch_id = $1
  ) as all_of
    left join video_pictures on video_id = all_of.id left join order_pictures on order_pictures.id = picture_id`

type Row = {
  id: string
  prompt: string
  place: number
  status: string
  code: string | null
  waits: boolean
  carried: boolean
  gone: boolean
  hash: string | null
}

async function stored(world: World, { person, batchId }: Prompt) {
  const { pool } = world.engine
  const prompts = await pool.query<Row>(`${ALL_PROMPTS} order by place`, [batchId])
  const batch = await pool.query<{
    status: string
    isPaused: boolean
    linePlace: number | null
    orders: number
  }>(
    `select status::text, paused_at is not null and status = 'processing' as "isPaused", line_place as "linePlace",
       (select count(*)::int from attempts where attempts.batch_id = batches.id) as orders
     from batches where id = $1`,
    [batchId],
  )
  return {
    batch: batch.rows[0]!,
    prompts: prompts.rows,
    units: await unitsOf(world, person),
  }
}

/** Returns an unsent prompt: the second one, so that there is one on both sides of it where there are three. */
async function waiting({ person, batchId }: Prompt) {
  const all = await listWaitingPrompts(person, batchId)
  const [first, second] = all
  return { all, batchId, videoId: (second ?? first)?.id ?? 'none' }
}

const move =
  (to: 'first' | 'earlier' | 'later'): Act<Prompt> =>
  async (world, prompt) => {
    const { all, ...subject } = await waiting(prompt)
    const moved = all.find(({ id }) => id === subject.videoId)
    const { from, place } = await moveWaitingPrompt(prompt.person, { ...subject, to })
    const after = await listWaitingPrompts(prompt.person, prompt.batchId)
    // Nothing else changes its place in relation to the others.
    const others = (list: typeof all) =>
      list.flatMap((one) => (one.prompt === moved?.prompt ? [] : [one.prompt]))
    expect(others(after)).toEqual(others(all))
    expect([from, place]).toEqual([
      moved?.place,
      after.find(({ prompt: text }) => text === moved?.prompt)?.place,
    ])
  }

/** Does something that cancels prompts, and compares what it says of prompts and units with what is stored. */
const cancelling =
  (cancel: (prompt: Prompt) => Promise<{ prompts: number; units: number } | null>): Act<Prompt> =>
  async (world, prompt) => {
    const [before, count] = [await stored(world, prompt), cancelledIn]
    const told = await cancel(prompt)
    const after = await stored(world, prompt)
    const came = before.units.used - after.units.used
    if (told)
      expect(told).toEqual({ prompts: count(after.prompts) - count(before.prompts), units: came })
    expect(came).toBeGreaterThanOrEqual(0)
  }

const cancelledIn = (rows: readonly Row[]) => rows.filter(({ code }) => code === 'cancelled').length

const acts = {
  'order another': async (world, { person }) => {
    const before = await unitsOf(world, person)
    await generate(person, `another of ${scenes}`)
    expect((await unitsOf(world, person)).used).toBe(before.used + 1)
  },
  pause: async (_world, { person, batchId }) => {
    expect(await pauseBatch(person, batchId)).toMatchObject({ isPaused: true })
  },
  resume: async (_world, { person, batchId }) => {
    expect(await resumeBatch(person, batchId)).toMatchObject({ isPaused: false })
  },
  'stop after the round': cancelling(({ person, batchId }) => stopAfterRound(person, batchId)),
  'move first': move('first'),
  'move later': move('later'),
  edit: async (_world, prompt) => {
    const { all, ...subject } = await waiting(prompt)
    const before = all.find(({ id }) => id === subject.videoId)?.prompt ?? ''
    const text = `${before}, edited`
    await editWaitingPrompt(prompt.person, { ...subject, prompt: text })
    prompt.pictures.set(text, prompt.pictures.get(before) ?? null)
    prompt.pictures.delete(before)
  },
  remove: cancelling(async (prompt) => {
    const { all, ...subject } = await waiting(prompt)
    const { place } = await removeWaitingPrompt(prompt.person, subject)
    prompt.removed = subject.videoId
    const removed = all.find(({ id }) => id === subject.videoId)
    expect(place).toBe(removed?.place)
    return { prompts: 1, units: removed?.isCarried === false ? 1 : 0 }
  }),
  undo: async (world, prompt) => {
    const { person, batchId, removed } = prompt
    const before = await stored(world, prompt)
    const row = before.prompts.find(({ id }) => id === removed)
    const told = await undoRemoval(person, removed)
    const after = await stored(world, prompt)
    expect(told).toMatchObject({ batchId, place: row?.place })
    expect(after.units.used - before.units.used).toBe(told.hasUnit ? 1 : 0)
    const now = after.prompts.find(({ id }) => id === removed)
    expect(now).toEqual({
      ...now,
      ...row,
      status: now?.status,
      code: null,
      waits: true,
      carried: !told.hasUnit,
    })
  },
  'back in line': async (world, prompt) => {
    const carried = (await stored(world, prompt)).prompts.length - 1
    expect(await undoLeaving(prompt.person, prompt.batchId)).toMatchObject({
      carried: { prompts: carried },
    })
  },
  cancel: cancelling(async ({ person, batchId }) => {
    expect(await cancelBatch(person, batchId)).toMatchObject({ status: 'cancelled', carried: null })
    return null
  }),
  'move up': async (_world, { person, batchId }) => {
    expect((await moveUpInLine(person, batchId)).inLine).toMatchObject({ place: 1 })
  },
  'leave the line': (_world, { person, batchId }) => leaveLine(person, batchId),
  'a round': ({ engine }) => engine.advance(200_000),
  'the next day': toNextDay,
  'clean up': ({ engine }) => removeOld(engine.deps),
  disable,
  enable,
  expire,
  renew: renewOne,
  'lower the limit': lowerLimit,
  'raise the limit': raiseLimit,
  'delete the account': deleteOwner,
  'restore the account': restoreOwner,
} satisfies Record<string, Act<Prompt>>

const DISABLED = 'This account is disabled. Contact us to open it again.'
const ENDED = 'This batch has already ended'
const NO_PROMPT = 'This prompt is not in this batch any more'
const GONE = 'This user does not exist'
const ALL_SENT = 'All prompts of this batch have been sent'
const ON_A_PROMPT = ['move first', 'move later', 'edit', 'remove'] as const
const ON_THE_BATCH = ['pause', 'resume', 'stop after the round', 'cancel'] as const
const ON_THE_LINE = ['move up', 'leave the line'] as const
const ON_THE_ACCOUNT = [
  'disable',
  'enable',
  'expire',
  'renew',
  'lower the limit',
  'raise the limit',
  'delete the account',
] as const

const refusals: readonly Refusal<keyof typeof acts | Trait>[] = [
  {
    after: ['left the line'],
    then: [...ON_A_PROMPT, ...ON_THE_BATCH, ...ON_THE_LINE, 'undo'],
    says: ENDED,
  },
  { after: ['left the line'], then: ['back in line'], says: DONE },
  { after: ['cancel'], then: ['undo'], says: ENDED },
  { after: ['cancel'], then: ['back in line'], says: 'This batch has started' },
  { after: ['undo'], then: ['undo'], says: 'This prompt is back already' },
  { after: ['disable'], then: ['undo', 'back in line'], says: DISABLED },
  { after: ['delete the account'], then: ['undo', 'back in line'], says: 'Please sign in' },
  { after: 'any', then: ['back in line'], says: 'This batch is back already' },
  { after: ['cancel'], then: [...ON_A_PROMPT, ...ON_THE_BATCH, ...ON_THE_LINE], says: ENDED },
  { after: ['stop after the round'], then: ON_A_PROMPT, says: NO_PROMPT },
  { after: ['stop after the round'], then: ['pause', 'stop after the round'], says: ALL_SENT },
  { after: ['in line'], then: ['pause'], says: 'This batch waits in line' },
  { after: ['pause'], then: ['pause'], says: 'This batch is paused already' },
  { after: ['pause'], then: ['resume'], says: DONE },
  { after: 'any', then: ['resume'], says: 'This batch is not paused' },
  { after: ['in line'], then: ON_THE_LINE, says: DONE },
  { after: 'any', then: ON_THE_LINE, says: 'This batch has started' },
  { after: ['delete the account'], then: ON_THE_ACCOUNT, says: GONE },
  { after: ['delete the account'], then: ['restore the account'], says: DONE },
  { after: 'any', then: ['restore the account'], says: 'This user is not in the trash any more' },
  // Three units of the day are in the batch.
  { after: ['disable'], then: ['order another'], says: DISABLED },
  { after: ['delete the account'], then: ['order another'], says: 'Please sign in' },
  {
    after: ['of a trial'],
    then: ['order another'],
    says: 'Today’s free trial videos are used up. Try again tomorrow, or choose a plan on the pricing page.',
  },
  {
    after: [
      'stop after the round',
      'remove',
      'cancel',
      'raise the limit',
      'in line',
      'left the line',
    ],
    then: ['order another'],
    says: DONE,
  },
  {
    after: 'any',
    then: ['order another'],
    says: 'You have 0 videos remaining today; 1 requested',
  },
]

async function agrees(world: World, prompt: Prompt): Promise<void> {
  const { person, batchId, pictures } = prompt
  const { batch, prompts } = await stored(world, prompt)
  const present = prompts.filter(({ gone }) => !gone)
  const count = (is: (row: Row) => boolean) => present.filter(is).length
  const carried = count((row) => row.carried)

  const summary = await getBatchSummary(person, batchId)
  expect(summary).toMatchObject({
    status: batch.status,
    isPaused: batch.isPaused,
    ready: count(({ status }) => status === 'completed'),
    inProgress: count(({ status }) => status === 'pending' || status === 'generating'),
    failed: count(({ status, code }) => status === 'error' && code !== 'cancelled'),
    cancelled: count(({ code }) => code === 'cancelled'),
    gone: prompts.length - present.length,
    totalVideos: prompts.length,
  })
  expect(summary.carried?.prompts ?? 0).toBe(carried)
  expect(summary.inLine?.place ?? null).toBe(batch.linePlace)

  expect(await getBatch(person, batchId)).toMatchObject({
    status: batch.status,
    isPaused: batch.isPaused,
    completedVideos: prompts.filter(({ status }) => status === 'completed').length,
  })

  const shown = await listWaitingPrompts(person, batchId)
  expect(
    shown.map(({ id, prompt: text, place, isCarried }) => [id, text, place, isCarried]),
  ).toEqual(
    present.filter(({ waits }) => waits).map((row) => [row.id, row.prompt, row.place, row.carried]),
  )

  // Each prompt is there once, with the picture that it was given, and was sent with that picture.
  expect(prompts.map((row) => [row.prompt, row.hash] as const).sort()).toEqual([...pictures].sort())
  const sent = new Map(world.engine.fake.entries().map((one) => [one.promptHash, one.pictureHash]))
  for (const [text, hash] of pictures) {
    // The ledger keeps so much of a hash.
    const ordered = sent.get(hashOf(text))
    if (ordered !== undefined) expect(ordered).toBe(hash?.slice(0, 16) ?? null)
  }

  await quotaAgrees(world, person)
  await trialAgrees(world, person)
}

/** Fails if a trial has had more units than its network may have. */
async function trialAgrees({ engine }: World, { actor }: UserCtx): Promise<void> {
  const { rows } = await engine.pool.query<{ used: number; counted: number }>(
    `select quota_days.reserved + charged as used, coalesce(trial_days.used, 0) as counted
     from users join trials on trials.user_id = users.id and plan = 'Starter'
         and expiry_date = ends_at and users.video_limit = trials.video_limit
       join quota_days on quota_days.user_id = users.id
       left join trial_days on trial_days.network = trials.network and trial_days.day = quota_days.day
     where users.id = $1`,
    [actor.id],
  )
  for (const { used, counted } of rows) {
    expect([used, counted], 'used').toEqual([Math.min(used, counted), counted])
    expect(counted).toBeLessThanOrEqual(MOST_PER_NETWORK)
  }
}

export const prompts: Thing<Prompt, keyof typeof acts, Trait> = {
  open,
  traits: TRAITS,
  acts,
  stored,
  agrees,
  refusals,
}
