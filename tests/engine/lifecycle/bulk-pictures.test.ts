import { expect, test } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { putPromptsBack, usePromptsAgain } from '../../../app/domain/batches/prompts-again.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import { startBatchForm } from '../../../app/domain/batches/schemas'
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

/** Starts the lines of the box as its form does. */
async function start(user: UserCtx, lines: string[], { ratio, seen, key, over }: Box = {}) {
  const input = startBatchForm.parse({ promptLines: lines.join('\n'), aspectRatio: ratio })
  const box = {
    lines: lines.map((text, index) => ({ line: index + 1, text })),
    seen: seen ?? shownPictures(await listDraftPictures(user)),
    keeps: false,
  }
  const receipt = await startPicturedBatch(user, { input: { ...input, carryOver: over }, box, key })
  const all = { userId: user.actor.id, total: lines.length }
  acceptedFrom(user.db).batches.set(receipt.batchId, all)
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

test('U-I2V-20: each line begins with the picture that it names, also on a later day and when it is retried', async () => {
  const user = await newUser(3)
  await addDraftPictures(user, [BOAT, FLAG])
  const [boat, flag] = [
    await cut(user, 'boat.png', 'landscape'),
    await cut(user, 'flag.png', 'landscape'),
  ]
  expect(new Set([boat, flag, undefined]).size).toBe(3)
  playRefusing(engine)
  const lines = [
    '[boat.png] sails',
    'waves [FLAG.png] twice',
    'bare',
    '[boat.png] anchors',
    'rows [boat.png]',
  ]
  const sent = {
    ratio: 'landscape',
    key: 'once',
    over: true,
    seen: shownPictures(await listDraftPictures(user)),
  } as const
  const receipt = await start(user, lines, sent)
  // A second click, or an answer that was lost: the pictures have left the form by then.
  expect(await start(user, lines, sent)).toEqual(receipt)
  expect(await listDraftPictures(user)).toEqual([])
  await engine.settle()
  // The last two waited for the next day.
  const all = ['sails', 'waves twice', 'bare', 'anchors', 'rows']
  expect(all.map(received)).toEqual([[boat], [flag], [null], [boat], [boat]])
  // Each is stored once for each ratio, not for each video.
  const { rows } = await engine.pool.query<{ pictures: number; links: number }>(
    `select count(distinct picture_id)::int as pictures, count(*)::int as links from video_pictures
     where video_id in (select id from videos where batch_id = $1)`,
    [receipt.batchId],
  )
  expect(rows[0]).toEqual({ pictures: 2, links: 4 })
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

test('U-I2V-21: one picture is for all lines, unless some name it', async () => {
  const user = await newUser()
  await addDraftPictures(user, [BOAT])
  const boat = await cut(user, 'boat.png', 'portrait')
  await start(user, ['one for all', 'and this'])
  await engine.settle()
  expect([received('one for all'), received('and this')]).toEqual([[boat], [boat]])
  await addDraftPictures(user, [BOAT])
  await start(user, ['[boat.png] only here', 'not here'])
  await engine.settle()
  expect([received('only here'), received('not here')]).toEqual([[boat], [null]])
})

test('U-I2V-22: what is not clear is refused before anything is paid, and the pictures stay', async () => {
  const user = await newUser()
  await addDraftPictures(user, [BOAT, FLAG])
  const refusal = (lines: string[], box?: Box) =>
    start(user, lines, box).then(
      () => 'started',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  expect(await refusal(['a', 'b'])).toContain(
    'Write the name of its picture into each line, such as [boat.png]',
  )
  expect(await refusal(['[boat.png] a', '[ship.jpg] b'])).toContain(
    'Line 2 names the picture ship.jpg',
  )
  expect(await refusal(['[boat.png] a [flag.png]'])).toBe('Line 1 names more than one picture')
  expect(await refusal(['[boat.png]'])).toBe('Line 1 has a picture and no prompt')
  expect(await refusal(['[boat.png] a'], { seen: '' })).toContain('The pictures have changed')
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

test('U-I2V-23: prompts that come back bring their pictures, for both aspect ratios', async () => {
  const user = await newUser(1)
  await addDraftPictures(user, [BOAT, FLAG])
  const wide = await cut(user, 'boat.png', 'landscape')
  const lines = ['[boat.png] first', '[boat.png] second', '[flag.png] third', 'fourth']
  const { batchId } = await start(user, lines, { over: true })
  await cancelBatch(user, batchId)
  await engine.settle()
  // Another picture of the same name has been added meanwhile.
  await addDraftPictures(user, [{ name: 'flag.png', bytes: BOAT.bytes }])
  expect(await putPromptsBack(user, batchId)).toMatchObject({ pictured: 3, hasPictures: true })
  const { bulk: draft } = await getDrafts(user)
  const added = draft.text.split('\n')
  expect(added.slice(-3)).toEqual(['[boat.png] second', '[flag-2.png] third', 'fourth'])
  await engine.advance(24 * 3_600_000)
  const again = await start(user, added.slice(-3, -2), { ratio: 'landscape' })
  await engine.settle()
  expect(received('second')).toEqual([wide])
  expect(await usePromptsAgain(user, again.batchId)).toMatchObject({ pictured: 1 })
  expect((await listDraftPictures(user)).map(({ name }) => name)).toEqual(['boat.png'])
})

test('U-I2V-24: a prompt that is moved to another day takes its picture with it', async () => {
  // One unit a day, so each prompt has a day of its own.
  const user = await newUser(1)
  await addDraftPictures(user, [BOAT])
  const boat = await cut(user, 'boat.png', 'portrait')
  playCalm(engine)
  const { batchId } = await start(user, ['moved today', '[boat.png] moved later', 'moved last'], {
    over: true,
  })
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
  const { batchId } = await start(user, ['[boat.png] kept today', '[flag.png] kept later'], {
    over: true,
  })
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
  await start(user, ['[boat.png] stays'])
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
