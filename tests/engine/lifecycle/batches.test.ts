import { describe, expect, test } from 'vitest'
import {
  getBatchSummary,
  listBatchPage,
  listBatchVideos,
} from '../../../app/domain/batches/batch-list.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { findInBatch } from '../../../app/domain/batches/queries.server'
import { putPromptsBack, usePromptsAgain } from '../../../app/domain/lists/prompts-again.server'
import { regenerateSelected } from '../../../app/domain/batches/regenerate-as-admin.server'
import {
  retryAllFailed,
  retryBatch,
  retrySelected,
} from '../../../app/domain/batches/retry-failed.server'
import type { UserCtx } from '../../../app/domain/context'
import { deleteVideo } from '../../../app/domain/videos/requests/delete-videos.server'
import { getDrafts, saveDraft } from '../../../app/domain/videos/requests/drafts.server'
import { EMPTY_DRAFT } from '../../../app/domain/videos/requests/drafts'
import { attempt, bulk, generate, videosOf } from '../../support/engine/actions'
import { makeVideo, playCalm, playRefusing } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

/** Runs a batch whose videos all fail. Returns its id. */
async function failedBatch(user: UserCtx, count: number): Promise<string> {
  playRefusing(engine)
  const { batchId } = await bulk(user, count)
  await engine.settle()
  playCalm(engine)
  return batchId
}

/** Stops a Starter batch after its first video was sent. Returns its id. */
async function stoppedBatch(user: UserCtx, count: number): Promise<string> {
  const { batchId } = await bulk(user, count)
  await engine.drain()
  await cancelBatch(user, batchId)
  await engine.settle()
  return batchId
}

const boxOf = async (user: UserCtx) => (await getDrafts(user)).bulk

describe('a batch keeps its videos', () => {
  test('issue 37: when its failed ones are retried; each batch knows its own cost', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const single = await makeVideo(engine, user, { fails: true })
    const batchId = await failedBatch(user, 3)
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      totalVideos: 3,
      ready: 0,
      failed: 3,
      chargedUnits: 0,
    })
    const receipt = await retryBatch(user, batchId)
    expect(receipt).toMatchObject({ count: 3, message: '3 failed videos queued for retry.' })
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      inProgress: 3,
      failed: 0,
      gone: 0,
    })
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      ready: 3,
      failed: 0,
      chargedUnits: 0,
    })
    expect(await getBatchSummary(user, receipt.batchId ?? '')).toMatchObject({
      kind: 'retry',
      ready: 3,
      chargedUnits: 3,
    })
    const videos = await listBatchVideos(user, batchId)
    expect(videos.map(({ place, prompt, cell }) => [place, prompt, cell])).toEqual([
      [1, 'prompt 1', 'd'],
      [2, 'prompt 2', 'd'],
      [3, 'prompt 3', 'd'],
    ])
    expect(await findInBatch(user, { batchId, place: 2 })).toBe(videos[1]?.id)
    expect((await videosOf(engine, user)).find(({ id }) => id === single)?.status).toBe('error')
    expect(await retryBatch(user, batchId)).toMatchObject({ count: 0, message: 'No failed videos' })
    expect((await listBatchPage(user, null)).batches.map(({ id }) => id)).toEqual([
      receipt.batchId,
      batchId,
    ])
  })

  test('issue 37: when Retry All, retries of retries or an administrator order them again', async () => {
    const [user, admin] = [await engine.user({ plan: 'Professional' }), await engine.admin()]
    const batchId = await failedBatch(user, 2)
    playRefusing(engine)
    await retryAllFailed(user)
    await engine.settle()
    playCalm(engine)
    const [one, two] = await videosOf(engine, user)
    await retrySelected(user, [one?.id ?? '', 'none'])
    await engine.settle()
    await regenerateSelected(admin, [two?.id ?? ''])
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      totalVideos: 2,
      ready: 2,
      gone: 0,
    })
    await deleteVideo(user, one?.id ?? '')
    expect(await getBatchSummary(user, batchId)).toMatchObject({ ready: 1, gone: 1 })
    expect((await listBatchPage(admin, null)).batches).toEqual([])
  })
})

test('Retry of a selection takes the failed ones of the actor, and of nobody else', async () => {
  const [user, other] = [await engine.user(), await engine.user()]
  const failed = await makeVideo(engine, user, { fails: true })
  const made = await makeVideo(engine, user)
  const foreign = await makeVideo(engine, other, { fails: true })
  expect(await retrySelected(user, [failed, made, foreign])).toMatchObject({ count: 1 })
  await engine.settle()
  expect((await videosOf(engine, other)).map(({ status }) => status)).toEqual(['error'])
  expect(await retrySelected(user, [made, foreign])).toMatchObject({ count: 0, batchId: null })
})

describe('the prompts of a batch', () => {
  test('issue 37: cancelled ones go back into the box once, and are no failures to retry', async () => {
    const user = await engine.user({ plan: 'Starter' })
    const batchId = await stoppedBatch(user, 4)
    const stopped = await getBatchSummary(user, batchId)
    expect(stopped).toMatchObject({ ready: 1, failed: 0, cancelled: 3, chargedUnits: 1 })
    expect(await retryBatch(user, batchId)).toMatchObject({ count: 0 })
    await saveDraft(user, 'bulk', { ...EMPTY_DRAFT, text: 'mine\n' })
    expect(await putPromptsBack(user, batchId)).toMatchObject({ count: 3, to: 'box' })
    expect((await boxOf(user)).text).toBe('mine\nprompt 2\nprompt 3\nprompt 4')
    expect(await getBatchSummary(user, batchId)).toMatchObject({ cancelled: 0, gone: 3 })
    expect(await attempt(() => putPromptsBack(user, batchId))).toBe('CONFLICT')
    expect((await boxOf(user)).text).toBe('mine\nprompt 2\nprompt 3\nprompt 4')
  })

  test('issue 37: all of them can be used again, with the settings of the batch if the box is empty', async () => {
    const user = await engine.user({ plan: 'Professional' })
    const { batchId } = await bulk(user, 2)
    await engine.settle()
    await generate(user, 'another')
    await engine.settle()
    expect(await usePromptsAgain(user, batchId)).toMatchObject({ count: 2, to: 'box' })
    expect(await boxOf(user)).toMatchObject({ text: 'prompt 1\nprompt 2', aspectRatio: 'portrait' })
    expect((await getBatchSummary(user, batchId)).ready).toBe(2)
  })

  test('U-ROLE-3: nobody else reads, retries or takes them', async () => {
    const [user, other] = [await engine.user(), await engine.user()]
    const batchId = await failedBatch(user, 1)
    const acts: ((who: UserCtx, id: string) => Promise<unknown>)[] = [
      getBatchSummary,
      retryBatch,
      putPromptsBack,
      usePromptsAgain,
    ]
    for (const act of acts) expect(await attempt(() => act(other, batchId))).toBe('NOT_FOUND')
    expect(await listBatchVideos(other, batchId)).toEqual([])
    expect((await boxOf(other)).text).toBe('')
  })
})
