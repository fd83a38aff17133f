import { describe, expect, test } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { pauseBatch } from '../../../app/domain/batches/steer-batch.server'
import type { UserCtx } from '../../../app/domain/context'
import { listSinglesInLine } from '../../../app/domain/videos/gallery/progress.server'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { regenerateVideo, retryVideo } from '../../../app/domain/videos/requests/redo-video.server'
import { attempt, bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'

// What the create screen adds to the line while a video is made. The plan makes one at a time.

const engine = useEngine()

/** Adds three prompts. One is sent, two wait. */
async function threeInRow(user: UserCtx): Promise<string[]> {
  const ids = []
  for (const prompt of ['one', 'two', 'three']) ids.push((await generate(user, prompt)).id)
  await engine.drain()
  expect(await listSinglesInLine(user)).toEqual(ids.slice(1))
  return ids
}

/** The prompts of what was sent to the provider for a user, in that order. */
async function sentBy(user: UserCtx): Promise<string[]> {
  const { rows } = await engine.pool.query<{ id: string; prompt: string }>(
    'select attempts.id, prompt from attempts join videos on videos.id = video_id where videos.user_id = $1',
    [user.actor.id],
  )
  const promptOf = new Map(rows.map(({ id, prompt }) => [id, prompt]))
  return engine.fake.entries().flatMap(({ attemptId }) => promptOf.get(attemptId ?? '') ?? [])
}

const statesOf = async (user: UserCtx) =>
  Object.fromEntries((await videosOf(engine, user)).map(({ id, status }) => [id, status]))

describe('Q-8: prompts in a row', () => {
  test('each starts by itself when the one before it is done, for one unit each', async () => {
    const user = await engine.user({ speed_limit: 1 })
    await threeInRow(user)
    expect(await sentBy(user)).toEqual(['one'])
    expect(await quotaOf(engine, user)).toMatchObject({ used: 3, reserved: 3 })
    await engine.settle()
    expect(await sentBy(user)).toEqual(['one', 'two', 'three'])
    expect(await quotaOf(engine, user)).toMatchObject({ used: 3, lines: { charged: 3 } })
    expect(await listSinglesInLine(user)).toEqual([])
  })

  test('of two at the same moment one is made and one waits; a key takes effect once', async () => {
    const user = await engine.user({ speed_limit: 1 })
    await Promise.all(['one', 'two'].map((prompt) => generate(user, prompt)))
    await engine.drain()
    expect(await sentBy(user)).toHaveLength(1)
    expect(await listSinglesInLine(user)).toHaveLength(1)
    const [first, again] = [await generate(user, 'k', 'key'), await generate(user, 'k', 'key')]
    expect(again).toEqual(first)
    expect(await quotaOf(engine, user)).toMatchObject({ used: 3 })
    await engine.settle()
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 3 } })
  })

  test('the one that is made is deleted, or one that waits: the others are made, and what was not sent costs nothing', async () => {
    const user = await engine.user({ speed_limit: 1 })
    const [one = '', two = '', three = ''] = await threeInRow(user)
    await deleteVideo(user, two)
    expect(await listSinglesInLine(user)).toEqual([three])
    await deleteVideo(user, one)
    await engine.settle()
    expect((await statesOf(user))[three]).toBe('completed')
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 2, returned: 1 } })
  })

  test('no unit is left, the plan ends: what waits is made, and nothing more is taken', async () => {
    const user = await engine.user({ speed_limit: 1, video_limit: 3 })
    await threeInRow(user)
    expect(await attempt(() => generate(user, 'four'))).toBe('QUOTA_EXCEEDED')
    await engine.pool.query(
      `update users set expiry_date = engine_now() - interval '3 days' where id = $1`,
      [user.actor.id],
    )
    expect(await attempt(() => generate(user, 'four'))).toBe('ACCOUNT_EXPIRED')
    await engine.settle()
    expect(await sentBy(user)).toEqual(['one', 'two', 'three'])
  })

  test('a batch beside it, paused or stopped, holds up no prompt of the line', async () => {
    const user = await engine.user({ speed_limit: 1, video_limit: 20 })
    const { batchId } = await bulk(user, 4)
    await pauseBatch(user, batchId)
    await threeInRow(user)
    await cancelBatch(user, batchId)
    await engine.settle()
    expect((await sentBy(user)).filter((prompt) => !prompt.startsWith('prompt'))).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  test('a retry and a regeneration take their places behind what waits', async () => {
    const user = await engine.user({ speed_limit: 1 })
    const { id: old } = await generate(user, 'old')
    await engine.settle()
    await threeInRow(user)
    await regenerateVideo(user, old)
    expect(await listSinglesInLine(user)).toHaveLength(3)
    expect((await listSinglesInLine(user)).at(-1)).toBe(old)
    expect(await attempt(() => retryVideo(user, old))).toBe('CONFLICT')
    await engine.settle()
    expect(await sentBy(user)).toEqual(['old', 'one', 'two', 'three', 'old'])
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 5 } })
  })
})
