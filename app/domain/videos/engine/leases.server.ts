import sql from 'sql-template-tag'
import type { Db, Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import type { NewJob } from '~/platform/queue/port'
import { HELD } from './attempts.server'

/** A worker that has not beaten for this long is dead for everybody else. */
export const LEASE_SECONDS = 10

export type Lease = { poolId: string; pid: number; host: string }

export async function takeLease(db: Db, { poolId, pid, host }: Lease): Promise<void> {
  await db.run(sql`
    insert into worker_leases (pool_id, pid, host, started_at, beat_at)
    values (${poolId}, ${pid}, ${host}, engine_now(), engine_now())`)
}

export const poolIds = (leases: readonly Pick<Lease, 'poolId'>[]) =>
  leases.map(({ poolId }) => poolId)

/** Says that a process is alive. False when one of its leases has been buried: it must end. */
export async function beat(db: Db, leases: readonly Lease[]): Promise<boolean> {
  const alive = await db.run(sql`
    update worker_leases set beat_at = engine_now() where pool_id = any(${poolIds(leases)}::text[])`)
  return alive === leases.length
}

/**
 * Leaves in good order. What the worker could not let go of, because a step of it failed and was to be
 * tried again here, is handed on as a dead one's work is.
 */
export async function endLeases(
  { db, queue }: Pick<Deps, 'db' | 'queue'>,
  leases: readonly Lease[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { poolId } of leases) await bury(tx, queue, poolId)
  })
}

type Undertaker = { own: readonly Lease[]; isProcessAlive: (pid: number) => boolean }

/**
 * Finds workers that died without a word and hands their work on: their job locks are released,
 * and an order that was being sent becomes `unknown`, to be looked up and never sent again.
 * Answers how many were buried.
 */
export async function buryDeadWorkers(
  { db, queue, log }: Pick<Deps, 'db' | 'queue' | 'log'>,
  { own, isProcessAlive }: Undertaker,
): Promise<number> {
  const others = await db.rows<Lease & { isSilent: boolean }>(sql`
    select pool_id as "poolId", pid, host,
      beat_at < engine_now() - make_interval(secs => ${LEASE_SECONDS}) as "isSilent"
    from worker_leases where pool_id <> all(${poolIds(own)}::text[])`)
  // The same number on the same host is this process: whoever had it before is gone.
  const isGone = ({ pid, host }: Lease) =>
    own.some((lease) => lease.host === host && (lease.pid === pid || !isProcessAlive(pid)))
  const dead = others.filter((lease) => lease.isSilent || isGone(lease))
  for (const { poolId } of dead) {
    log.warn({ poolId }, 'a worker died; its work is handed on')
    await db.transaction((tx) => bury(tx, queue, poolId))
  }
  return dead.length
}

/**
 * Hands on what is held in the name of no living worker. A worker takes jobs out a moment before its
 * lease stands, and what it sent last to the database may be done a moment after it was buried.
 */
export async function handOnWorkOfNobody({
  db,
  queue,
  log,
}: Pick<Deps, 'db' | 'queue' | 'log'>): Promise<void> {
  const holders = await db.rows<{ poolId: string }>(sql`
    with holders as (
      select lease_pool as pool_id from attempts where state in (${HELD}) and lease_pool is not null
      union
      select locked_by from graphile_worker.jobs
      where locked_at < now() - make_interval(secs => ${LEASE_SECONDS})
    )
    select pool_id as "poolId" from holders
    where not exists (select 1 from worker_leases where pool_id = holders.pool_id)`)
  for (const { poolId } of holders) {
    log.warn({ poolId }, 'what nobody holds is handed on')
    await db.transaction((tx) => handOn(tx, queue, poolId))
  }
}

async function bury(tx: Tx, queue: Deps['queue'], poolId: string): Promise<void> {
  const isFirst = await tx.run(sql`delete from worker_leases where pool_id = ${poolId}`)
  if (isFirst) await handOn(tx, queue, poolId)
}

async function handOn(tx: Tx, queue: Deps['queue'], poolId: string): Promise<void> {
  await tx.run(sql`select graphile_worker.force_unlock_workers(array[${poolId}])`)
  const left = await tx.rows<{ attemptId: string; state: string }>(sql`
    update attempts set due_at = engine_now(), lease_token = null, lease_pool = null,
      state = case when state = 'submitting' then 'unknown'::attempt_state else state end
    where lease_pool = ${poolId} and state in (${HELD})
    returning id as "attemptId", state`)
  await queue.add(
    tx,
    left.map(({ attemptId, state }) => stepJob(state, attemptId)),
  )
}

/** The job of the step that an attempt in this state is waiting for. */
export function stepJob(state: string, attemptId: string): NewJob {
  const payload = { attemptId }
  switch (state) {
    case 'queued':
      return { name: 'videos.submit', payload }
    case 'submitted':
      return { name: 'videos.poll', payload }
    case 'fetching':
      return { name: 'videos.fetch', payload }
    default:
      return { name: 'videos.recover', payload }
  }
}
