import { describe, expect, test } from 'vitest'
import { getBatch } from '../../../app/domain/batches/queries.server'
import {
  deleteOwnByStatus,
  deleteVideo,
  deleteVideos,
} from '../../../app/domain/videos/requests/delete-videos.server'
import { attempt, bulk, generate, quotaOf, videosOf } from '../../support/engine/actions'
import { makeVideo, onlyVideo, storedFile } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

describe('delete', () => {
  const AT = {
    waiting: async () => undefined,
    'with the provider': () => engine.drain(),
    'half made': () => engine.advance(30_000),
    done: () => engine.settle(),
  }
  test.each(Object.entries(AT))('U-DEL, Q-32: a deleted video, %s', async (state, bring) => {
    const user = await engine.user()
    const { id } = await generate(user)
    await bring()
    const { fileKey } = await onlyVideo(engine, user)
    await deleteVideo(user, id)
    expect(await attempt(() => deleteVideo(user, id))).toBe('NOT_FOUND')
    const sentBefore = engine.fake.entries().length
    await engine.settle()
    expect(engine.fake.entries()).toHaveLength(sentBefore)
    const lines = state === 'waiting' ? { returned: 1 } : { charged: 1 }
    expect(await quotaOf(engine, user)).toMatchObject({ reserved: 0, lines })
    const video = await onlyVideo(engine, user)
    expect(video.deletedAt).not.toBeNull()
    // A clip that arrives for a deleted video is discarded. One that was stored before is in the
    // trash.
    if (state !== 'done') expect(video.fileKey).toBeNull()
    else expect(await storedFile(engine, fileKey)).not.toBeNull()
  })

  test('Q-32: a batch ends although its videos are deleted in every state', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 7)
    await engine.drain()
    const ids = (await videosOf(engine, user)).map(({ id }) => id)
    await deleteVideos(user, [ids[0] ?? '', ids[4] ?? '', 'none'])
    await engine.settle()
    expect(await getBatch(user, batchId)).toMatchObject({
      status: 'completed',
      completedVideos: 5,
      failedVideos: 2,
      totalVideos: 7,
    })
    expect(await quotaOf(engine, user)).toMatchObject({ lines: { charged: 6, returned: 1 } })
  })

  test('U-API-21: deleting by status: pending includes videos in progress, and other users’ videos are kept', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const stranger = await engine.user()
    await generate(stranger)
    await makeVideo(engine, user, { fails: true })
    await makeVideo(engine, user)
    await generate(user)
    await bulk(user, 4)
    await engine.drain()
    const remove = async (
      status: 'all' | 'pending' | 'error' | 'completed',
      aspectRatio: 'all' | 'landscape' = 'all',
    ) => (await deleteOwnByStatus(user, { status, aspectRatio })).count
    expect(await remove('all', 'landscape')).toBe(0)
    expect(await remove('pending')).toBe(5)
    expect(await remove('error')).toBe(1)
    expect(await remove('completed')).toBe(1)
    expect((await videosOf(engine, stranger))[0]?.deletedAt).toBeNull()
    await engine.settle()
  })
})
