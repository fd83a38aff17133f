import { expect, test } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import {
  changePromptList,
  takePastedText,
  viewPromptList,
} from '../../../app/domain/lists/prompt-list.server'
import { putPromptsBack, usePromptsAgain } from '../../../app/domain/lists/prompts-again.server'
import { startListForm } from '../../../app/domain/lists/schemas'
import { moveListToPromptField, startList } from '../../../app/domain/lists/start-list.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import { startBatchForm, type BatchReceipt } from '../../../app/domain/batches/schemas'
import { startPicturedBatch } from '../../../app/domain/batches/start-batch.server'
import {
  listWaitingPrompts,
  moveWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import {
  addDraftPictures,
  listDraftPictures,
} from '../../../app/domain/videos/requests/draft-pictures.server'
import { getDrafts } from '../../../app/domain/videos/requests/drafts.server'
import { shownPictures } from '../../../app/domain/videos/requests/pictures'
import { hashOf } from '../../simulator/orders'
import { acceptedFrom, attempt, quotaOf } from '../../support/engine/actions'
import { startEngine } from '../../support/engine/engine'
import { playCalm, playRefusing } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'
import { drawPicture } from '../../support/pictures'

const engine = useEngine({ env: { IMAGE_TO_VIDEO: 'on' } })

const BOAT = { name: 'boat.png', bytes: drawPicture(90, 160) }
const FLAG = { name: 'flag.png', bytes: drawPicture(160, 90) }

type Box = { ratio?: 'portrait' | 'landscape'; seen?: string; key?: string; over?: true }

const shownTo = async (user: UserCtx) => shownPictures(await listDraftPictures(user))

/** Starts the lines of the box as its form does. */
async function start(user: UserCtx, lines: string[], { ratio, seen, key, over }: Box = {}) {
  const input = startBatchForm.parse({ promptLines: lines.join('\n'), aspectRatio: ratio })
  const box = { seen: seen ?? (await shownTo(user)), keeps: false }
  const receipt = await startPicturedBatch(user, { input: { ...input, carryOver: over }, box, key })
  return accepted(user, receipt, lines.length)
}

type Row = [prompt: string, picture?: string]

async function takeTable(user: UserCtx, rows: readonly Row[]) {
  const cells = rows.map(([prompt, picture = '']) => `${prompt}\t${picture}`)
  await takePastedText(user, ['Prompt\tPicture', ...cells].join('\n'))
}

/** Starts a table with a column of pictures as its page does. */
async function startTable(
  user: UserCtx,
  rows: readonly Row[],
  { ratio, seen, key, over }: Box = {},
) {
  await takeTable(user, rows)
  const { version } = (await viewPromptList(user)) ?? { version: '' }
  const form = startListForm.parse({ first: rows.length, version, aspectRatio: ratio })
  const input = { ...form, shownPictures: seen ?? (await shownTo(user)), carryOver: over }
  const again = () => startList(user, input, key)
  return { ...accepted(user, await again(), rows.length), again }
}

function accepted(user: UserCtx, receipt: BatchReceipt, total: number) {
  acceptedFrom(user.db).batches.set(receipt.batchId, { userId: user.actor.id, total })
  return receipt
}

/** The hashes of the pictures that the provider received with orders of a prompt. */
const received = (prompt: string) =>
  engine.fake
    .entries()
    .filter(({ promptHash }) => promptHash === hashOf(prompt))
    .map(({ pictureHash }) => pictureHash)

/** The hash of a user's draft picture as it is cut to a ratio. */
async function cut(user: UserCtx, name: string, ratio: 'portrait' | 'landscape') {
  const picture = (await listDraftPictures(user)).find((one) => one.name === name)
  const { rows } = await engine.pool.query<{ hash: string }>(
    'select sha256 as hash from order_pictures where id = $1',
    [picture?.[ratio]],
  )
  // The ledger keeps so much of a hash.
  return rows[0]?.hash.slice(0, 16)
}

const newUser = (video_limit = 20) =>
  engine.user({ plan: 'Enterprise', video_limit, speed_limit: 10 })

test('U-I2V-20: each row begins with the picture that it names, also on a later day and when it is retried', async () => {
  const user = await newUser(3)
  await addDraftPictures(user, [BOAT, FLAG])
  const [boat, flag] = [
    await cut(user, 'boat.png', 'landscape'),
    await cut(user, 'flag.png', 'landscape'),
  ]
  expect(new Set([boat, flag, undefined]).size).toBe(3)
  playRefusing(engine)
  const rows: Row[] = [
    ['sails', 'boat.png'],
    ['waves twice', 'FLAG.png'],
    ['bare'],
    ['anchors', 'boat.png'],
    ['rows', 'boat.png'],
  ]
  const sent = { ratio: 'landscape', key: 'once', over: true } as const
  const { again, ...receipt } = await startTable(user, rows, sent)
  // A second click, or an answer that was lost: the pictures have left the form by then.
  expect(await again()).toEqual(receipt)
  expect(await listDraftPictures(user)).toEqual([])
  await engine.settle()
  // The last two waited for the next day.
  const all = ['sails', 'waves twice', 'bare', 'anchors', 'rows']
  expect(all.map(received)).toEqual([[boat], [flag], [null], [boat], [boat]])
  // Each is stored once for each ratio, not for each video.
  const stored = await engine.pool.query<{ pictures: number; links: number }>(
    `select count(distinct picture_id)::int as pictures, count(*)::int as links from video_pictures
     where video_id in (select id from videos where batch_id = $1)`,
    [receipt.batchId],
  )
  expect(stored.rows[0]).toEqual({ pictures: 2, links: 4 })
  await removeOld(engine.deps)
  playCalm(engine)
  await retryAllFailed(user)
  await engine.settle()
  expect(all.slice(0, 3).map(received)).toEqual([
    [boat, boat],
    [flag, flag],
    [null, null],
  ])
})

test('U-I2V-21: one picture is for all prompts, unless some name it; brackets are words', async () => {
  const user = await newUser()
  await addDraftPictures(user, [BOAT])
  const boat = await cut(user, 'boat.png', 'portrait')
  await start(user, ['one for all', '[flag.png] and this [Boat]'])
  await engine.settle()
  expect([received('one for all'), received('[flag.png] and this [Boat]')]).toEqual([
    [boat],
    [boat],
  ])
  await addDraftPictures(user, [BOAT])
  await startTable(user, [['all rows'], ['of a table']])
  await engine.settle()
  expect([received('all rows'), received('of a table')]).toEqual([[boat], [boat]])
  await addDraftPictures(user, [BOAT])
  await startTable(user, [['only here', 'boat.png'], ['not here']])
  await engine.settle()
  expect([received('only here'), received('not here')]).toEqual([[boat], [null]])
})

test('U-I2V-22: what is not clear is refused before anything is paid, and the pictures stay', async () => {
  const user = await newUser()
  await addDraftPictures(user, [BOAT, FLAG])
  const refusal = (starting: Promise<unknown>) =>
    starting.then(
      () => 'started',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  const several =
    'Keep one for all prompts, or name one for each prompt: a table has a column Picture for that'
  expect(await refusal(start(user, ['a', 'b']))).toContain(several)
  expect(await refusal(startTable(user, [['a'], ['b']]))).toContain(several)
  const ship: Row[] = [
    ['a', 'boat.png'],
    ['b', 'ship.jpg'],
  ]
  expect(await refusal(startTable(user, ship))).toContain('Row 2 names the picture ship.jpg')
  const changed = 'The pictures have changed'
  expect(await refusal(start(user, ['a'], { seen: '' }))).toContain(changed)
  expect(await refusal(startTable(user, [['a', 'boat.png']], { seen: '' }))).toContain(changed)
  const another = { name: 'BOAT.png', bytes: FLAG.bytes }
  expect(await attempt(() => addDraftPictures(user, [another]))).toBe('BAD_INPUT')
  // The same file again, as after an answer that was lost, changes nothing.
  await addDraftPictures(user, [BOAT])
  expect((await listDraftPictures(user)).map(({ name }) => name)).toEqual(['boat.png', 'flag.png'])
  expect(await quotaOf(engine, user)).toMatchObject({ used: 0, lines: {} })
  const { rowCount } = await engine.pool.query('select 1 from batches where user_id = $1', [
    user.actor.id,
  ])
  expect(rowCount).toBe(0)
})

test('U-I2V-23: prompts that come back as a list bring their pictures, for both aspect ratios', async () => {
  const user = await newUser(1)
  await addDraftPictures(user, [BOAT, FLAG])
  const wide = await cut(user, 'boat.png', 'landscape')
  const rows: Row[] = [
    ['first', 'boat.png'],
    ['second', 'boat.png'],
    ['third', 'flag.png'],
    ['fourth'],
  ]
  const { batchId } = await startTable(user, rows, { over: true })
  await cancelBatch(user, batchId)
  await engine.settle()
  // Another picture of the same name has been added meanwhile.
  await addDraftPictures(user, [{ name: 'flag.png', bytes: BOAT.bytes }])
  const back = { to: 'list', pictured: 3, hasPictures: true }
  expect(await putPromptsBack(user, batchId)).toMatchObject(back)
  expect((await getDrafts(user)).bulk.text).toBe('')
  const list = await viewPromptList(user)
  expect(list?.rows.slice(-3).map(({ prompt, picture }) => [prompt, picture])).toEqual([
    ['second', 'boat.png'],
    ['third', 'flag-2.png'],
    ['fourth', null],
  ])
  await changePromptList(user, { kind: 'drop' })
  await engine.advance(24 * 3_600_000)
  const again = await startTable(user, [['second', 'boat.png']], { ratio: 'landscape' })
  await engine.settle()
  expect(received('second')).toEqual([wide])
  expect(await usePromptsAgain(user, again.batchId)).toMatchObject({ to: 'list', pictured: 1 })
  expect((await listDraftPictures(user)).map(({ name }) => name)).toContain('boat.png')
})

test('U-I2V-28: rows that go into the box lose their pictures, which is said, unless all have the only one', async () => {
  const user = await newUser()
  const moved = async (...rows: Row[]) => {
    await takeTable(user, rows)
    return (await moveListToPromptField(user)).hasLost
  }
  // Names of pictures that are not there yet.
  expect(await moved(['a', 'boat.png'], ['b', 'boat.png'])).toBe(true)
  await addDraftPictures(user, [BOAT])
  expect(await moved(['a', 'boat.png'], ['b', 'BOAT.png'])).toBe(false)
  expect(await moved(['a'], ['b'])).toBe(false)
  // In the box the second one has it, too.
  expect(await moved(['a', 'boat.png'], ['b'])).toBe(true)
  await addDraftPictures(user, [FLAG])
  expect(await moved(['a', 'boat.png'], ['b', 'boat.png'])).toBe(true)
})

test('issue 52.7: each row ends with the picture that it names; back in the list and used again it does so too', async () => {
  const user = await newUser()
  await addDraftPictures(user, [BOAT, FLAG])
  const [boat, flag] = [
    await cut(user, 'boat.png', 'landscape'),
    await cut(user, 'flag.png', 'landscape'),
  ]
  playCalm(engine)
  const table = (...rows: string[][]) =>
    [['Prompt', 'Picture', 'Last frame'], ...rows].map((cells) => cells.join('\t')).join('\n')
  const startAll = async (count: number) => {
    const { version } = (await viewPromptList(user)) ?? { version: '' }
    const form = startListForm.parse({ first: count, version, aspectRatio: 'landscape' })
    return startList(user, { ...form, shownPictures: await shownTo(user) })
  }
  // An end without a beginning, and a name that no picture has.
  await takePastedText(user, table(['only an end', '', 'flag.png'], ['lost', 'boat.png', 'no.png']))
  expect((await viewPromptList(user))?.pictures?.problems).toEqual([
    'Row 1 names a picture only for its end. Name the one with which it begins as well.',
    'Row 2 names the picture no.png, which is not there. Add it, or remove its name.',
  ])
  expect(await attempt(() => startAll(2))).toBe('BAD_INPUT')
  await changePromptList(user, { kind: 'drop' })
  await takePastedText(
    user,
    table(
      ['opens', 'boat.png', 'FLAG.png'],
      ['closes', 'flag.png', 'flag.png'],
      ['plain', 'boat.png', ''],
    ),
  )
  const list = await viewPromptList(user)
  expect(list?.pictures?.says).toEqual([
    'boat.png: 2 videos (prompts 1, 3)',
    'flag.png: 1 video (prompt 2)',
    'At the end flag.png: 2 videos (prompts 1, 2)',
  ])
  const { batchId } = accepted(user, await startAll(3), 3)
  await engine.settle()
  const sent = (prompt: string) =>
    engine.fake
      .entries()
      .filter(({ promptHash }) => promptHash === hashOf(prompt))
      .map(({ pictureHash, endPictureHash }) => [pictureHash, endPictureHash])
  expect(['opens', 'closes', 'plain'].map(sent)).toEqual([
    [[boat, flag]],
    [[flag, flag]],
    [[boat, null]],
  ])
  await usePromptsAgain(user, batchId)
  expect(
    (await viewPromptList(user))?.rows.map(({ picture, endPicture }) => [picture, endPicture]),
  ).toEqual([
    ['boat.png', 'flag.png'],
    ['flag.png', 'flag.png'],
    ['boat.png', null],
  ])
})

test('U-I2V-24: a prompt that is moved to another day takes its picture with it', async () => {
  // One unit a day, so each prompt has a day of its own.
  const user = await newUser(1)
  await addDraftPictures(user, [BOAT])
  const boat = await cut(user, 'boat.png', 'portrait')
  playCalm(engine)
  const rows: Row[] = [['moved today'], ['moved later', 'boat.png'], ['moved last']]
  const { batchId } = await startTable(user, rows, { over: true })
  const [now, later] = await listWaitingPrompts(user, batchId)
  expect([now?.picture, later?.picture]).toEqual([null, 'boat.png'])
  expect([now?.isCarried, later?.isCarried]).toEqual([false, true])
  await moveWaitingPrompt(user, { batchId, videoId: later?.id ?? '', to: 'earlier' })
  await engine.settle()
  await engine.advance(24 * 3_600_000)
  await engine.settle()
  expect([received('moved today'), received('moved later'), received('moved last')]).toEqual([
    [null],
    [boat],
    [null],
  ])
})

test('U-I2V-25: cleaning leaves the pictures of prompts that wait for a later day', async () => {
  const user = await newUser(1)
  await addDraftPictures(user, [BOAT, FLAG])
  const flag = await cut(user, 'flag.png', 'portrait')
  playCalm(engine)
  const rows: Row[] = [
    ['kept today', 'boat.png'],
    ['kept later', 'flag.png'],
  ]
  const { batchId } = await startTable(user, rows, { over: true })
  await engine.advance(2 * 3_600_000)
  await removeOld(engine.deps)
  expect(await listWaitingPrompts(user, batchId)).toMatchObject([{ picture: 'flag.png' }])
  await engine.settle()
  expect(received('kept later')).toEqual([flag])
})

test('U-I2V-25: pictures that nobody starts are removed after a week, those of a batch with its videos', async () => {
  // An engine of its own, because the clock moves by weeks.
  const other = await startEngine({ env: { IMAGE_TO_VIDEO: 'on' } })
  const user = await other.user({ plan: 'Enterprise', video_limit: 5 })
  const count = async () => (await other.pool.query('select 1 from order_pictures')).rowCount
  await addDraftPictures(user, [BOAT, FLAG])
  await other.advance(2 * 3_600_000)
  await removeOld(other.deps)
  expect([await count(), (await listDraftPictures(user)).length]).toEqual([4, 2])
  await startTable(user, [['stays', 'boat.png']])
  await other.settle()
  await other.advance(8 * 86_400_000)
  await removeOld(other.deps)
  // The cut to the other ratio stays with it, for prompts that are used again.
  expect(await count()).toBe(2)
  await addDraftPictures(user, [FLAG])
  await other.advance(8 * 86_400_000)
  await removeOld(other.deps)
  await removeOld(other.deps)
  expect([await count(), (await listDraftPictures(user)).length]).toEqual([2, 0])
  await other.close()
})
