import { describe, expect } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { getBatchSummary, listBatchVideos } from '../../../app/domain/batches/batch-list.server'
import { getBatch, listBatches } from '../../../app/domain/batches/queries.server'
import { pauseBatch, resumeBatch } from '../../../app/domain/batches/steer-batch.server'
import { leaveLine, moveUpInLine } from '../../../app/domain/batches/steer-line.server'
import { undoLeaving, undoRemoval } from '../../../app/domain/batches/undo-removal.server'
import {
  listWaitingPrompts,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import { putPromptsBack } from '../../../app/domain/lists/prompts-again.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { retryVideo } from '../../../app/domain/videos/requests/redo-video.server'
import { restoreOwn } from '../../../app/domain/videos/requests/own-trash.server'
import { attempt, bulk, bulkOverDays, generate, quotaOf } from '../../support/engine/actions'
import { playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const engine = useEngine()
const HOUR_MS = 3_600_000

const waitingOf = async (user: UserCtx, batchId: string) =>
  (await listWaitingPrompts(user, batchId)).map(
    ({ prompt, isCarried }) => `${isCarried ? 'later' : 'today'}: ${prompt}`,
  )

const idOf = async (user: UserCtx, batchId: string, place: number) =>
  (await listWaitingPrompts(user, batchId)).find((one) => one.place === place)?.id ?? 'none'

/** Removes the prompt of a place. Returns its id. */
async function removeAt(user: UserCtx, batchId: string, place: number): Promise<string> {
  const videoId = await idOf(user, batchId, place)
  await removeWaitingPrompt(user, { batchId, videoId })
  return videoId
}

const ordersOf = async (batchId: string): Promise<string[]> => {
  const { rows } = await engine.pool.query<{ prompt: string }>(
    `select prompt from attempts join videos on videos.id = video_id
     where attempts.batch_id = $1 order by attempts.created_at`,
    [batchId],
  )
  return rows.map(({ prompt }) => prompt)
}

/** A Starter batch: one a minute and a half, of which the first was sent. */
async function started(count: number, limit = 20): Promise<{ user: UserCtx; batchId: string }> {
  playCalm(engine)
  const user = await engine.user({ plan: 'Starter', video_limit: limit })
  const { batchId } = await bulkOverDays(user, count)
  await engine.drain()
  return { user, batchId }
}

describe('issue 53.7, U-BULK-18: a removed prompt', () => {
  test('takes as many units again as a clip of its batch uses, whatever the account has now', async () => {
    playCalm(engine)
    const user = await engine.user({ plan: 'Starter', video_limit: 20, clip_units: 3 })
    const { batchId } = await bulkOverDays(user, 5)
    await engine.drain()
    const id = await removeAt(user, batchId, 3)
    expect(await quotaOf(engine, user)).toMatchObject({ used: 12 })
    await engine.pool.query('update users set clip_units = 7 where id = $1', [user.actor.id])
    expect(await undoRemoval(user, id)).toMatchObject({ place: 3, hasUnit: true })
    expect(await quotaOf(engine, user)).toMatchObject({ used: 15 })
  })

  test('comes back to its place with its unit, once, and is sent in its turn', async () => {
    const { user, batchId } = await started(5)
    const id = await idOf(user, batchId, 3)
    const removed = await removeWaitingPrompt(user, { batchId, videoId: id })
    expect(removed).toEqual({ place: 3, next: 4, undo: 'prompt' })
    await moveWaitingPrompt(user, {
      batchId,
      videoId: await idOf(user, batchId, 5),
      to: 'first',
    })
    expect(await quotaOf(engine, user)).toMatchObject({ used: 4 })
    expect(await attempt(async () => undoRemoval(await engine.user(), id))).toBe('NOT_FOUND')

    const undone = await Promise.all([1, 2, 3].map(() => attempt(() => undoRemoval(user, id))))
    expect(undone.filter((one) => one !== 'CONFLICT')).toEqual([
      { batchId, place: 3, hasUnit: true },
    ])
    expect(await attempt(() => undoRemoval(user, id))).toBe('CONFLICT')
    expect(await waitingOf(user, batchId)).toEqual([
      'today: prompt 5',
      'today: prompt 3',
      'today: prompt 2',
      'today: prompt 4',
    ])
    expect(await quotaOf(engine, user)).toMatchObject({ used: 5, lines: { returned: 1 } })
    expect(await getBatchSummary(user, batchId)).toMatchObject({ cancelled: 0, waiting: 4 })
    await engine.settle()
    expect(await ordersOf(batchId)).toEqual([1, 5, 3, 2, 4].map((n) => `prompt ${n}`))
    expect(await getBatch(user, batchId)).toMatchObject({
      status: 'completed',
      completedVideos: 5,
    })
    // No retry was pressed.
    const videos = await listBatchVideos(user, batchId)
    expect(videos.map(({ regenerateCount }) => regenerateCount)).toEqual([0, 0, 0, 0, 0])
    expect(await attempt(() => undoRemoval(user, id))).toBe('CONFLICT')
  })

  test('is refused in words if the day’s videos were used meanwhile, and comes back on the next day', async () => {
    const { user, batchId } = await started(3, 3)
    await pauseBatch(user, batchId)
    const id = await removeAt(user, batchId, 2)
    await generate(user)
    await expect(undoRemoval(user, id)).rejects.toThrow(
      'You have 0 videos remaining today; 1 requested',
    )
    expect(await quotaOf(engine, user)).toMatchObject({ used: 3 })
    await engine.advance(24 * HOUR_MS)
    expect(await undoRemoval(user, id)).toMatchObject({ place: 2, hasUnit: true })
    // The unit is one of the day of the undo.
    expect(await quotaOf(engine, user)).toMatchObject({ used: 1, reserved: 1 })
    expect(await waitingOf(user, batchId)).toEqual(['today: prompt 2', 'today: prompt 3'])
    await resumeBatch(user, batchId)
    await engine.settle()
    expect(await getBatch(user, batchId)).toMatchObject({ completedVideos: 3 })
  })

  test('of a later day waits for its day again, and for the same one', async () => {
    const { user, batchId } = await started(5, 2)
    const [fourth, fifth] = [
      await removeAt(user, batchId, 4),
      await removeAt(user, batchId, 5),
    ] as const
    const third = await removeAt(user, batchId, 3)
    expect((await getBatch(user, batchId)).carried).toBeNull()
    expect(await undoRemoval(user, fourth)).toEqual({ batchId, place: 4, hasUnit: false })
    expect(await undoRemoval(user, third)).toMatchObject({ place: 3 })
    expect(await waitingOf(user, batchId)).toEqual([
      'today: prompt 2',
      'later: prompt 3',
      'later: prompt 4',
    ])
    expect(await quotaOf(engine, user)).toMatchObject({ used: 2, lines: { reserved: 2 } })
    const { rows } = await engine.pool.query<{ isMidnight: boolean }>(
      `select carries_at = (date_trunc('day', engine_now() at time zone 'UTC') + interval '1 day') at time zone 'UTC'
         as "isMidnight" from batches where id = $1`,
      [batchId],
    )
    expect(rows).toEqual([{ isMidnight: true }])
    await engine.settle()
    expect(await ordersOf(batchId)).toEqual([1, 2, 3, 4].map((n) => `prompt ${n}`))
    // The batch has ended without it.
    await expect(undoRemoval(user, fifth)).rejects.toThrow('This batch has already ended')
  })

  test('that ended its batch stays removed, and says so', async () => {
    const { user, batchId } = await started(2)
    await engine.advance(60_000)
    const id = await idOf(user, batchId, 2)
    const removed = await removeWaitingPrompt(user, { batchId, videoId: id })
    expect(removed).toMatchObject({ undo: null })
    expect(await getBatch(user, batchId)).toMatchObject({ status: 'completed' })
    expect(await attempt(() => undoRemoval(user, id))).toBe('CONFLICT')
    expect(await quotaOf(engine, user)).toMatchObject({ used: 1 })
  })

  test('does not come back after it was deleted, retried or put back into the box', async () => {
    const { user, batchId } = await started(6)
    await pauseBatch(user, batchId)
    const [deleted, retried, boxed] = [
      await removeAt(user, batchId, 2),
      await removeAt(user, batchId, 3),
      await removeAt(user, batchId, 4),
    ] as const
    await deleteVideo(user, deleted)
    expect(await attempt(() => undoRemoval(user, deleted))).toBe('NOT_FOUND')
    await restoreOwn(user, { ids: [deleted] })
    expect(await undoRemoval(user, deleted)).toMatchObject({ place: 2 })
    await retryVideo(user, retried)
    await expect(undoRemoval(user, retried)).rejects.toThrow('This prompt has been sent already')
    await putPromptsBack(user, batchId)
    expect(await attempt(() => undoRemoval(user, boxed))).toBe('NOT_FOUND')
    await cancelBatch(user, batchId)
  })

  slowTest('beside rounds, midnight, kills and a full day nothing is lost or twice', async () => {
    for (let trial = 0; trial < 12; trial++) {
      const { user, batchId } = await started(6, 4)
      const ids = [await removeAt(user, batchId, 2), await removeAt(user, batchId, 6)]
      if (trial % 3 === 0) engine.worker().killSwitch.killAfter(5 + 7 * trial)
      await Promise.all([
        ...ids.flatMap((id) => [1, 2].map(() => attempt(() => undoRemoval(user, id)))),
        attempt<unknown>(() => generate(user)),
        engine.advance(trial % 2 === 0 ? 90_000 : 16 * HOUR_MS),
        trial % 4 === 1 ? attempt<unknown>(() => pauseBatch(user, batchId)) : null,
      ])
      await engine.restart()
      expect(await engine.violations()).toEqual({})
      await attempt<unknown>(() => cancelBatch(user, batchId))
      await engine.settle()
    }
  })
})

describe('issue 53.7, U-BULK-18: a batch that left the line', () => {
  const inLine = (user: UserCtx, count: number) => bulkOverDays(user, count, { queue: true })

  async function lineOf(count: number) {
    playCalm(engine)
    const user = await engine.user({ plan: 'Enterprise', video_limit: 9 })
    const { batchId } = await bulk(user, 2)
    await pauseBatch(user, batchId)
    const added: string[] = []
    for (let n = 0; n < count; n++) added.push((await inLine(user, n + 2)).batchId)
    return { user, running: batchId, added }
  }

  const line = async (user: UserCtx, of: readonly string[]) =>
    (await listBatches(user))
      .flatMap(({ id, inLine: at }) => (at ? [[at.place, of.indexOf(id)] as const] : []))
      .sort(([one], [other]) => one - other)
      .map(([, index]) => index)

  test('comes back to its place, whatever left, moved or was added meanwhile', async () => {
    const { user, added } = await lineOf(4)
    const [, one, two, last] = added as [string, string, string, string]
    await leaveLine(user, one)
    expect(await getBatchSummary(user, one)).toMatchObject({ cancelled: 3, backInLine: 'free' })
    expect(await undoLeaving(user, one)).toMatchObject({
      status: 'queued',
      inLine: { place: 2 },
      carried: { prompts: 3 },
      failedVideos: 0,
    })
    expect(await line(user, added)).toEqual([0, 1, 2, 3])
    expect(await attempt(() => undoLeaving(user, one))).toBe('CONFLICT')
    expect(await attempt(async () => undoLeaving(await engine.user(), one))).toBe('NOT_FOUND')

    for (const id of [one, two, last]) await leaveLine(user, id)
    added.push((await inLine(user, 1)).batchId)
    expect(await line(user, added)).toEqual([0, 4])
    await undoLeaving(user, one)
    expect(await line(user, added)).toEqual([0, 1, 4])
    await undoLeaving(user, last)
    expect(await line(user, added)).toEqual([0, 1, 3, 4])
    await moveUpInLine(user, last)
    await undoLeaving(user, two)
    expect(await line(user, added)).toEqual([0, 2, 3, 1, 4])
    expect(await quotaOf(engine, user)).toMatchObject({ used: 2 })
  })

  test('is refused while the line is full, and starts if nothing is running', async () => {
    const { user, running, added } = await lineOf(5)
    const [first, , , , last] = added as [string, string, string, string, string]
    await leaveLine(user, last)
    const sixth = await inLine(user, 1)
    expect(await getBatchSummary(user, last)).toMatchObject({ backInLine: 'full' })
    await expect(undoLeaving(user, last)).rejects.toThrow('At most 5 batches can wait in line.')
    for (const id of [...added.slice(0, 4), sixth.batchId]) await leaveLine(user, id)
    await cancelBatch(user, running)
    expect(await undoLeaving(user, first)).toMatchObject({ status: 'processing', inLine: null })
    expect(await undoLeaving(user, last)).toMatchObject({ inLine: { place: 1 } })
    await engine.settle()
    expect(await getBatch(user, first)).toMatchObject({ status: 'completed', completedVideos: 2 })
    expect(await getBatch(user, last)).toMatchObject({ status: 'completed', completedVideos: 6 })
    await expect(undoLeaving(user, first)).rejects.toThrow('This batch has started')
  })

  test('comes to the first place if the one behind it has started', async () => {
    const { user, running, added } = await lineOf(3)
    await leaveLine(user, added[0]!)
    await cancelBatch(user, running)
    expect(await undoLeaving(user, added[0]!)).toMatchObject({ inLine: { place: 1 } })
    expect(await line(user, added)).toEqual([0, 2])
    await engine.settle()
  })

  test('brings what left with it, and nothing that had been removed, deleted or put back', async () => {
    const { user, added } = await lineOf(3)
    const [none, one, two] = added as [string, string, string]
    const early = await removeAt(user, two, 2)
    await leaveLine(user, two)
    expect(await undoLeaving(user, two)).toMatchObject({ carried: { prompts: 3 } })
    expect(await undoRemoval(user, early)).toEqual({ batchId: two, place: 2, hasUnit: false })
    expect(await waitingOf(user, two)).toEqual([1, 2, 3, 4].map((n) => `later: prompt ${n}`))

    await removeAt(user, none, 1)
    const only = await idOf(user, none, 2)
    // The batch leaves the line with its last prompt, and comes back with it.
    expect(await removeWaitingPrompt(user, { batchId: none, videoId: only })).toMatchObject({
      undo: 'batch',
    })
    expect(await undoLeaving(user, none)).toMatchObject({ inLine: { place: 1 } })
    expect(await waitingOf(user, none)).toEqual(['later: prompt 2'])

    const gone = await idOf(user, one, 3)
    await leaveLine(user, one)
    await deleteVideo(user, gone)
    expect(await undoLeaving(user, one)).toMatchObject({ carried: { prompts: 2 } })
    await leaveLine(user, one)
    await putPromptsBack(user, one)
    await expect(undoLeaving(user, one)).rejects.toThrow(
      'The prompts of this batch were put back or deleted',
    )
  })

  slowTest('beside another undo, a start and a full line each is in one place', async () => {
    for (let trial = 0; trial < 8; trial++) {
      const { user, running, added } = await lineOf(5)
      await Promise.all(added.map((id) => attempt(() => leaveLine(user, id))))
      await Promise.all([
        ...added.flatMap((id) => [1, 2].map(() => attempt<unknown>(() => undoLeaving(user, id)))),
        attempt<unknown>(() => inLine(user, 1)),
        attempt<unknown>(() => cancelBatch(user, running)),
        engine.drain(),
      ])
      expect(await engine.violations()).toEqual({})
      for (const { id } of await listBatches(user))
        await attempt<unknown>(() => cancelBatch(user, id))
      await engine.settle()
    }
  })
})
