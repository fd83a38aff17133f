import { beforeEach, expect, test } from 'vitest'
import {
  cancelRegeneration,
  takeBackUnsent,
} from '../../../app/domain/batches/cancel-regeneration.server'
import { fireDueRound } from '../../../app/domain/batches/fire-round.server'
import {
  regenerateAll,
  regenerateSelected,
} from '../../../app/domain/batches/regenerate-as-admin.server'
import { sweepBatches } from '../../../app/domain/batches/sweep-batches.server'
import type { AdminCtx } from '../../../app/domain/context'
import type { EngineCtx } from '../../../app/domain/videos/engine/context'
import { dispatchWaiting } from '../../../app/domain/videos/engine/dispatch.server'
import { openLeases } from '../../../app/domain/videos/engine/leases'
import type { Db } from '../../../app/platform/db/port'
import { attempt, generate, videosOf } from '../../support/engine/actions'
import { trials } from '../../support/engine/trials'
import { useFreshEngine } from '../../support/engine/shared-engine'

// Uses its own platform: a regeneration of everything includes all videos there are.
const { engine, start } = useFreshEngine()
beforeEach(() => start())

/** Regenerates so many finished videos of one user, in rounds of ten. Returns the batch. */
async function regenerateMany(admin: AdminCtx, count: number): Promise<string> {
  const owner = await engine.user({ plan: 'Enterprise', video_limit: 100 })
  for (let i = 0; i < count; i++) await generate(owner)
  await engine.settle()
  const ids = (await videosOf(engine, owner)).map(({ id }) => id)
  const { batchId } = await regenerateSelected(admin, ids, 'all')
  return batchId
}

const ordersOf = async (batchId: string) => {
  const { rows } = await engine.pool.query('select 1 from attempts where batch_id = $1', [batchId])
  return rows.length
}

const jobCtx = (): EngineCtx => ({
  ...engine.deps,
  actor: { kind: 'system', job: 'batches.round' },
  requestId: 'r1',
  leases: openLeases(),
  signal: new AbortController().signal,
  sleep: (ms) => engine.clock.move(ms),
})

async function loseTakeBackJob(): Promise<void> {
  await engine.pool.query(`delete from graphile_worker._private_jobs as jobs
    using graphile_worker._private_tasks as tasks
    where tasks.id = jobs.task_id and identifier = 'batches.take-back'`)
}

/** Expects that nothing more is sent, and that videos that were not sent are unchanged. */
async function expectStopped(batchId: string) {
  const before = await ordersOf(batchId)
  await engine.settle()
  expect(await ordersOf(batchId)).toBe(before)
  const { rows } = await engine.pool.query(
    `select batches.status, videos.status as video, awaits_round, count(*)::int
     from batches join videos on videos.batch_id = batches.id where batches.id = $1 group by 1, 2, 3`,
    [batchId],
  )
  expect(rows).toEqual([
    { status: 'cancelled', video: 'completed', awaits_round: false, count: before + 5 },
  ])
}

test('A-VID-14: a regeneration that is stopped sends nothing that is in the line', async () => {
  const admin = await engine.admin()
  const batchId = await regenerateMany(admin, 5)
  await fireDueRound(jobCtx(), { batchId, roundNo: 0 })
  await cancelRegeneration(admin, batchId)
  // Before the job that takes its videos back.
  await dispatchWaiting(engine.deps)
  expect(await ordersOf(batchId)).toBe(0)
  await expectStopped(batchId)
})

test('A-VID-14: a regeneration whose stop was interrupted is stopped completely', async () => {
  const admin = await engine.admin()
  const batchId = await regenerateMany(admin, 15)
  await engine.drain()
  await cancelRegeneration(admin, batchId)
  await loseTakeBackJob()
  await engine.clock.move(60_000)
  expect(await sweepBatches(engine.deps)).toBe(1)
  await expectStopped(batchId)
})

test('A-VID-14: a stopped regeneration ends as cancelled when a sent video ends last', async () => {
  const admin = await engine.admin()
  const batchId = await regenerateMany(admin, 15)
  await engine.drain()
  await cancelRegeneration(admin, batchId)
  // The first step takes all back. The sent videos end before the second.
  await takeBackUnsent(jobCtx(), { batchId })
  await loseTakeBackJob()
  await expectStopped(batchId)
})

test('a regeneration that is stopped just before a round fires sends nothing more', async () => {
  const admin = await engine.admin()
  const batchId = await regenerateMany(admin, 15)
  await engine.drain()
  expect(await ordersOf(batchId)).toBe(10)
  const { rows } = await engine.pool.query<{ ms: number }>(
    `select extract(epoch from next_round_at - engine_now())::float * 1000 as ms from batches where id = $1`,
    [batchId],
  )
  await engine.clock.move(rows[0]?.ms ?? 0)
  // The job has seen that its round is due. The regeneration is stopped just before the round fires.
  let stops = 0
  const transaction: Db['transaction'] = async (work) => {
    if (stops++ === 0) await cancelRegeneration(admin, batchId)
    return engine.deps.db.transaction(work)
  }
  const ctx = { ...jobCtx(), db: { ...engine.deps.db, transaction } }
  await fireDueRound(ctx, { batchId, roundNo: 1 })
  expect(stops).toBe(1)
  const fired = await engine.pool.query('select 1 from rounds where batch_id = $1', [batchId])
  expect(fired.rowCount).toBe(1)
  await engine.settle()
  expect(await ordersOf(batchId)).toBe(10)
})

async function batchesOf({ actor }: AdminCtx): Promise<number> {
  const { rows } = await engine.pool.query<{ n: number }>(
    'select count(*)::int as n from batches where user_id = $1',
    [actor.id],
  )
  return rows[0]?.n ?? 0
}

test('F17: an administrator’s regeneration is sent twenty times with one key: one batch, one generation, one response', async () => {
  const admin = await engine.admin()
  const owner = await engine.user()
  const ids = [(await generate(owner)).id, (await generate(owner)).id]
  await engine.settle()
  for (let trial = 0; trial < trials(15, 250); trial++) {
    const key = `k${trial}`
    const order =
      trial % 2 ? () => regenerateAll(admin, { key }) : () => regenerateSelected(admin, ids, key)
    const before = await batchesOf(admin)
    const responses = await Promise.all(Array.from({ length: 20 }, order))
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(responses[0]).toMatchObject({ count: 2 })
    expect(await batchesOf(admin)).toBe(before + 1)
    await engine.settle()
    expect(await order()).toEqual(responses[0])
    expect((await videosOf(engine, owner)).map((v) => [v.status, v.generation])).toEqual([
      ...[
        ['completed', trial + 2],
        ['completed', trial + 2],
      ],
    ])
  }
  expect(await attempt(() => regenerateSelected(admin, ids.slice(1), 'k0'))).toBe('CONFLICT')
})
