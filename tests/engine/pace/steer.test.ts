import { describe, expect } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { getBatchSummary } from '../../../app/domain/batches/batch-list.server'
import { getBatch } from '../../../app/domain/batches/queries.server'
import {
  pauseBatch,
  resumeBatch,
  stopAfterRound,
} from '../../../app/domain/batches/steer-batch.server'
import {
  editWaitingPrompt,
  listWaitingPrompts,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { attempt, bulk, quotaOf, roundsOf } from '../../support/engine/actions'
import { playCalm } from '../../support/engine/make-video'
import { useEngine } from '../../support/engine/shared-engine'
import { slowTest, test } from '../../support/slow'

const engine = useEngine()

/** A Starter batch of four prompts, of which the first was sent. */
async function startedBatch(): Promise<{ user: UserCtx; batchId: string }> {
  playCalm(engine)
  const user = await engine.user({ plan: 'Starter' })
  const { batchId } = await bulk(user, 4)
  await engine.drain()
  return { user, batchId }
}

const orders = async (batchId: string): Promise<string[]> => {
  const { rows } = await engine.pool.query<{ prompt: string }>(
    `select prompt from attempts join videos on videos.id = video_id
     where attempts.batch_id = $1 order by attempts.created_at`,
    [batchId],
  )
  return rows.map(({ prompt }) => prompt)
}

const waitingOf = async (user: UserCtx, batchId: string) =>
  (await listWaitingPrompts(user, batchId)).map(({ prompt }) => prompt)

describe('a paused batch', () => {
  test('keeps its pace if its last round was taken back before it was sent', async () => {
    playCalm(engine)
    const user = await engine.user({ plan: 'Starter' })
    const { batchId } = await bulk(user, 1)
    const hasFired = async () => (await roundsOf(engine, batchId)).length > 0
    while (!(await hasFired())) await engine.worker().step()
    await pauseBatch(user, batchId)
    await resumeBatch(user, batchId)
    await engine.settle()
    const [, again] = await roundsOf(engine, batchId)
    expect(again?.gap).toBeGreaterThanOrEqual(DEFAULT_PLANS.Starter.pace.delaySeconds)
    expect(await orders(batchId)).toEqual(['prompt 1'])
  })

  test('sends nothing until it is resumed, and then goes on at its pace', async () => {
    const { user, batchId } = await startedBatch()
    expect(await pauseBatch(user, batchId)).toMatchObject({
      status: 'processing',
      isPaused: true,
      finishEstimate: null,
    })
    await engine.advance(24 * 3_600_000)
    await engine.sweep()
    await engine.drain()
    expect(await orders(batchId)).toEqual(['prompt 1'])
    expect(await getBatch(user, batchId)).toMatchObject({ completedVideos: 1, isPaused: true })
    expect(await attempt(() => pauseBatch(user, batchId))).toBe('CONFLICT')
    expect(await resumeBatch(user, batchId)).toMatchObject({ isPaused: false })
    expect(await attempt(() => resumeBatch(user, batchId))).toBe('CONFLICT')
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({ ready: 4, status: 'completed' })
    expect(await orders(batchId)).toHaveLength(4)
  })

  test('takes back what a round released and nobody has sent', async () => {
    playCalm(engine)
    const user = await engine.user({ plan: 'Enterprise' })
    const { batchId } = await bulk(user, 3)
    // Its only round is in the line.
    await pauseBatch(user, batchId)
    await engine.advance(600_000)
    expect(await orders(batchId)).toEqual([])
    expect(await waitingOf(user, batchId)).toEqual(['prompt 1', 'prompt 2', 'prompt 3'])
    await resumeBatch(user, batchId)
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({ ready: 3, status: 'completed' })
  })

  test('does not repeat an order that fails meanwhile', async () => {
    engine.fake.play({
      defaults: { generationMs: 60_000 },
      rules: [{ when: { op: 'submit', promptIncludes: 'prompt 1' }, do: { outcome: 'op-error' } }],
    })
    const user = await engine.user({ plan: 'Starter' })
    const { batchId } = await bulk(user, 4)
    await engine.drain()
    await pauseBatch(user, batchId)
    await engine.advance(3_600_000)
    expect(await orders(batchId)).toEqual(['prompt 1'])
    expect(await waitingOf(user, batchId)).toContain('prompt 1')
    playCalm(engine)
    await resumeBatch(user, batchId)
    await engine.settle()
    expect(await getBatchSummary(user, batchId)).toMatchObject({ ready: 4, failed: 0 })
  })

  test('is cancelled like another, and its units come back', async () => {
    const { user, batchId } = await startedBatch()
    await pauseBatch(user, batchId)
    await cancelBatch(user, batchId)
    await engine.settle()
    expect(await quotaOf(engine, user)).toMatchObject({ reserved: 0, charged: 1 })
  })
})

describe('a batch that stops after its round', () => {
  test('finishes what was released, and ends with it', async () => {
    playCalm(engine)
    const user = await engine.user({ plan: 'Starter' })
    const { batchId } = await bulk(user, 4)
    while ((await roundsOf(engine, batchId)).length === 0) await engine.worker().step()
    // Released, and not sent yet.
    expect(await orders(batchId)).toEqual([])
    expect(await stopAfterRound(user, batchId)).toEqual({ prompts: 3, units: 3 })
    expect(await attempt(() => stopAfterRound(user, batchId))).toBe('CONFLICT')
    await engine.settle()
    expect(await orders(batchId)).toEqual(['prompt 1'])
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      status: 'completed',
      ready: 1,
      cancelled: 3,
    })
    expect(await quotaOf(engine, user)).toMatchObject({ reserved: 0, charged: 1 })
  })
})

describe('prompts that are not sent', () => {
  test('are changed, moved and removed; the sent one is refused', async () => {
    const { user, batchId } = await startedBatch()
    const stranger = await engine.user()
    const { rows } = await engine.pool.query<{ id: string; prompt: string }>(
      'select id, prompt from videos where batch_id = $1 order by batch_position',
      [batchId],
    )
    const at = (n: number) => ({ batchId, videoId: rows[n - 1]!.id })
    await editWaitingPrompt(user, { ...at(2), prompt: 'a better one' })
    const earlier = () => moveWaitingPrompt(user, { ...at(4), to: 'earlier' })
    expect(await earlier()).toEqual({ from: 4, place: 3 })
    expect(await earlier()).toEqual({ from: 3, place: 2 })
    expect(await earlier()).toEqual({ from: 2, place: 2 })
    expect(await waitingOf(user, batchId)).toEqual(['prompt 4', 'a better one', 'prompt 3'])
    await moveWaitingPrompt(user, { ...at(3), to: 'later' })
    expect(await removeWaitingPrompt(user, at(3))).toMatchObject({ place: 4, next: 3 })
    for (const refused of [
      () => editWaitingPrompt(user, { ...at(1), prompt: 'late' }),
      () => moveWaitingPrompt(user, { ...at(1), to: 'later' }),
      () => removeWaitingPrompt(user, at(3)),
      () => removeWaitingPrompt(user, at(1)),
    ])
      expect(await attempt<unknown>(refused)).toBe('CONFLICT')
    for (const hidden of [
      () => removeWaitingPrompt(stranger, at(2)),
      () => pauseBatch(stranger, batchId),
      () => removeWaitingPrompt(user, { batchId, videoId: 'none' }),
    ])
      expect(await attempt<unknown>(hidden)).toBe('NOT_FOUND')
    await engine.settle()
    expect(await orders(batchId)).toEqual(['prompt 1', 'prompt 4', 'a better one'])
    expect(await getBatchSummary(user, batchId)).toMatchObject({
      status: 'completed',
      ready: 3,
      cancelled: 1,
    })
  })

  test('one is moved to the first place, and the others keep their order', async () => {
    const { user, batchId } = await startedBatch()
    const last = (await listWaitingPrompts(user, batchId)).at(-1)!
    const first = () => moveWaitingPrompt(user, { batchId, videoId: last.id, to: 'first' })
    expect(await first()).toEqual({ from: 4, place: 2 })
    expect(await waitingOf(user, batchId)).toEqual(['prompt 4', 'prompt 2', 'prompt 3'])
    expect(await first()).toEqual({ from: 2, place: 2 })
    await engine.settle()
    expect(await orders(batchId)).toEqual(['prompt 1', 'prompt 4', 'prompt 2', 'prompt 3'])
  })

  test('removed to the last, they end the batch', async () => {
    const { user, batchId } = await startedBatch()
    await engine.advance(30_000)
    await pauseBatch(user, batchId)
    await engine.advance(600_000)
    for (const { id } of await listWaitingPrompts(user, batchId))
      await removeWaitingPrompt(user, { batchId, videoId: id })
    expect(await getBatch(user, batchId)).toMatchObject({ status: 'completed', completedVideos: 1 })
  })

  slowTest('at the boundary, a round and a change never both win', async () => {
    for (let trial = 0; trial < 20; trial++) {
      const { user, batchId } = await startedBatch()
      await engine.advance(60_000)
      const [next] = await listWaitingPrompts(user, batchId)
      const subject = { batchId, videoId: next!.id }
      const [edited] = await Promise.all([
        attempt(() => editWaitingPrompt(user, { ...subject, prompt: 'edited' })),
        engine.advance(120_000),
        trial % 2 === 0 ? attempt(() => pauseBatch(user, batchId)) : null,
      ])
      const sent = await orders(batchId)
      if (edited === 'CONFLICT') expect(sent).toContain(next!.prompt)
      else expect(sent).not.toContain(next!.prompt)
      await attempt(() => cancelBatch(user, batchId))
      await engine.settle()
      for (const { size } of await roundsOf(engine, batchId)) expect(size).toBe(1)
    }
  })
})
