import { describe, expect, test } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { getBatch } from '../../../app/domain/batches/queries.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import {
  editVideo,
  regenerateVideo,
  retryVideo,
} from '../../../app/domain/videos/requests/redo-video.server'
import { makeTrial } from '../../support/acts/account-acts'
import { hashOf } from '../../simulator/orders'
import { attempt, bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import {
  makeVideo,
  onlyVideo,
  playCalm,
  playRefusing,
  storedFile,
} from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

/** Returns when the provider received each order of a batch. */
async function sentOf(batchId: string | null): Promise<number[]> {
  const { rows } = await engine.pool.query<{ id: string }>(
    'select id from attempts where batch_id = $1',
    [batchId],
  )
  const own = new Set(rows.map(({ id }) => id))
  return engine.fake
    .entries()
    .filter(({ attemptId }) => attemptId !== null && own.has(attemptId))
    .map(({ at }) => at)
    .sort((a, b) => a - b)
}

describe('retry', () => {
  test('U-RETRY: a failed video is made again under the same id; no other video can be retried', async () => {
    const user = await engine.user()
    const id = await makeVideo(engine, user, { fails: true })
    expect(await retryVideo(user, id)).toMatchObject({ id, status: 'pending', regenerateCount: 1 })
    expect(await attempt(() => retryVideo(user, id))).toBe('CONFLICT')
    await engine.drain()
    expect(await attempt(() => retryVideo(user, id))).toBe('CONFLICT')
    await engine.settle()
    expect(await onlyVideo(engine, user)).toMatchObject({
      id,
      status: 'completed',
      errorCode: null,
      generation: 2,
    })
    expect(await attempt(() => retryVideo(user, id))).toBe('CONFLICT')
    const stranger = await engine.user()
    expect(await attempt(() => retryVideo(stranger, id))).toBe('NOT_FOUND')
    expect(await attempt(() => retryVideo(user, 'none'))).toBe('NOT_FOUND')
  })

  test('U-RETRY: ten concurrent clicks retry once; a repeated key returns the same response', async () => {
    const user = await engine.user()
    const id = await makeVideo(engine, user, { fails: true })
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => attempt(() => retryVideo(user, id))),
    )
    expect(responses.filter((response) => response === 'CONFLICT')).toHaveLength(9)
    await engine.settle()
    const failed = await engine.user()
    const other = await makeVideo(engine, failed, { fails: true })
    await Promise.all(Array.from({ length: 5 }, () => retryVideo(failed, other, 'k')))
    expect(await quotaOf(engine, failed)).toMatchObject({ lines: { returned: 1, reserved: 1 } })
    await engine.settle()
  })

  test('Q-11: Retry All is a batch at the plan’s pace, of the oldest videos that fit into the day’s quota', async () => {
    const user = await engine.user({ plan: 'Professional', video_limit: 6 })
    playRefusing(engine)
    await bulk(user, 6)
    await engine.settle()
    playCalm(engine)
    await generate(user)
    const response = await retryAllFailed(user)
    expect(response).toMatchObject({
      count: 5,
      message: "5 failed videos queued for retry; 1 more did not fit into today's quota.",
    })
    expect(await attempt(() => retryAllFailed(user))).toBe('QUOTA_EXCEEDED')
    expect(await getBatch(user, response.batchId ?? '')).toMatchObject({
      kind: 'retry',
      totalVideos: 5,
      speedLimit: 3,
      delaySeconds: 60,
      status: 'processing',
    })
    await engine.drain()
    const sentAtOnce = (await videosOf(engine, user)).filter(
      ({ status }) => status === 'generating',
    )
    expect(sentAtOnce).toHaveLength(4)
    await engine.settle()
    const videos = await videosOf(engine, user)
    expect(videos.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'completed'),
      ...['error', 'completed'],
    ])
    const none = await engine.user()
    expect(await retryAllFailed(none)).toEqual({
      message: 'No failed videos',
      count: 0,
      batchId: null,
    })
  })

  test('Q-11: Retry All leaves out what was cancelled before it was sent', async () => {
    const user = await engine.user({ plan: 'Starter' })
    playRefusing(engine)
    const { batchId } = await bulk(user, 3)
    await engine.advance(60_000)
    await cancelBatch(user, batchId)
    await engine.settle()
    playCalm(engine)
    const statuses = (await videosOf(engine, user)).map(({ status }) => status)
    expect(statuses).toEqual(['error', 'error', 'error'])
    expect(await retryAllFailed(user)).toMatchObject({ count: 1 })
    await engine.settle()
  })

  test('U-RETRY-6: three failed videos on Starter go out again 90 s apart', async () => {
    const user = await engine.user({ plan: 'Starter' })
    playRefusing(engine)
    await bulk(user, 3)
    await engine.settle()
    playCalm(engine)
    const { batchId } = await retryAllFailed(user)
    await engine.advance(89_000)
    expect(await sentOf(batchId)).toHaveLength(1)
    await engine.advance(180_000)
    const [first = 0, ...later] = await sentOf(batchId)
    // Rounding to 15 s hides the delay of this machine.
    expect(later.map((at) => Math.floor((at - first + 1000) / 15_000) * 15)).toEqual([90, 180])
    await engine.settle()
  })

  test('Q-8: a user can have either Retry All or another batch at a time', async () => {
    const user = await engine.user({ plan: 'Professional' })
    await makeVideo(engine, user, { fails: true })
    await bulk(user, 4)
    expect(await attempt(() => retryAllFailed(user))).toBe('BATCH_RUNNING')
    await engine.settle()
    const [one, two] = await Promise.all([
      attempt(() => retryAllFailed(user)),
      attempt(() => retryAllFailed(user)),
    ])
    const taken = [one, two].filter(
      (response) => typeof response === 'object' && response.count === 1,
    )
    expect(taken).toHaveLength(1)
    await engine.settle()
  })
})

describe('regenerate and edit', () => {
  test('Q-14: a trial pays for what it regenerates and retries, like for an order', async () => {
    const user = await engine.user({
      plan: 'Starter',
      video_limit: 9,
      expiry_date: new Date((await engine.clock.now()) + 20 * 86_400_000),
    })
    await makeTrial({ engine }, user, '10.1.0.1')
    const used = async () => {
      const { rows } = await engine.pool.query<{ used: number }>(
        `select sum(used)::int as used from trial_days where network = '10.1.0.1'`,
      )
      return rows[0]?.used
    }
    await regenerateVideo(user, await makeVideo(engine, user))
    expect(await used()).toBe(2)
    await engine.settle()
    await makeVideo(engine, user, { fails: true })
    await retryAllFailed(user)
    expect(await used()).toBe(4)
    await engine.settle()
  })

  test('U-REGEN, Q-23: the old clip stays until an hour after the new one is stored, for archives that contain it', async () => {
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    const before = await onlyVideo(engine, user)
    expect(await regenerateVideo(user, id)).toMatchObject({ status: 'pending', regenerateCount: 1 })
    await engine.advance(30_000)
    expect(await onlyVideo(engine, user)).toMatchObject({
      status: 'generating',
      fileKey: before.fileKey,
    })
    expect(await storedFile(engine, before.fileKey)).not.toBeNull()
    await engine.advance(10 * 60_000)
    const after = await onlyVideo(engine, user)
    expect(after).toMatchObject({ status: 'completed', generation: 2 })
    expect(after.fileKey).not.toBe(before.fileKey)
    expect(await storedFile(engine, after.fileKey)).not.toBeNull()
    expect(await storedFile(engine, before.fileKey)).not.toBeNull()
    await engine.advance(60 * 60_000)
    expect(await storedFile(engine, before.fileKey)).toBeNull()
  })

  test('Q-23: a regeneration that fails keeps the clip, reports the failure and costs nothing', async () => {
    const user = await engine.user()
    const id = await makeVideo(engine, user)
    const before = await onlyVideo(engine, user)
    playRefusing(engine)
    await regenerateVideo(user, id)
    await engine.settle()
    const after = await onlyVideo(engine, user)
    expect(after).toMatchObject({ status: 'completed', fileKey: before.fileKey })
    expect(after.errorMessage).toMatch(/^Last regeneration failed: The prompt was refused/)
    expect(await storedFile(engine, before.fileKey)).not.toBeNull()
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 1, returned: 1 } })
  })

  test('U-REGEN: only a completed video can be regenerated, and only by its owner', async () => {
    const user = await engine.user()
    const id = await makeVideo(engine, user, { fails: true })
    expect(await attempt(() => regenerateVideo(user, id))).toBe('CONFLICT')
    const made = await makeVideo(engine, user)
    const before = await videosOf(engine, user)
    for (const other of [await engine.user(), await engine.admin()]) {
      expect(await attempt(() => regenerateVideo(other, made))).toBe('NOT_FOUND')
      expect(await attempt(() => retryVideo(other, id))).toBe('NOT_FOUND')
    }
    // The answer alone proves nothing: reading the video refuses as well.
    expect(await videosOf(engine, user)).toEqual(before)
  })

  test('U-EDIT, U-T2V-7: an edit is a new video with the aspect ratio and the negative prompt of the old one, which stays', async () => {
    const user = await engine.user()
    const shape = { aspectRatio: 'landscape', negativePrompt: 'fog, text' } as const
    const { id } = await generate(user, 'a kite', undefined, shape)
    await engine.settle()
    const orders = engine.fake.entries().length
    const { id: edited } = await editVideo(user, { id, prompt: 'another kite' })
    expect(edited).not.toBe(id)
    await engine.settle()
    const { rows } = await engine.pool.query(
      `select prompt, status, aspect_ratio as "aspectRatio", negative_prompt as "negativePrompt"
       from videos where user_id = $1 order by created_at`,
      [user.actor.id],
    )
    expect(rows).toEqual([
      { prompt: 'a kite', status: 'completed', ...shape },
      { prompt: 'another kite', status: 'completed', ...shape },
    ])
    expect(engine.fake.entries().slice(orders)).toMatchObject([
      { promptHash: hashOf('another kite'), negativePromptHash: hashOf('fog, text') },
    ])
    const stranger = await engine.user()
    expect(await attempt(() => editVideo(stranger, { id, prompt: 'x' }))).toBe('NOT_FOUND')
  })
})
