import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { ACTIVE } from './attempts.server'
import { LEASE_MS, type Leases } from './leases'

/** A worker process that has sent no heartbeat for this long counts as gone. */
export const SILENT_SECONDS = 10

/** A lease is extended when no more than this is left of it. Most steps end before that. */
const EXTEND_BEFORE_MS = (LEASE_MS * 2) / 3

/** A worker process, and where its pid means something: in one pid namespace of one running kernel. */
export type WorkerProcess = {
  id: string
  host: string
  bootId: string
  pidNamespace: string
  pid: number
}

/**
 * Records that a process is alive and under which names it takes jobs, and extends the leases of its
 * running steps. A process that was forgotten by mistake is on record again afterwards.
 */
export async function heartbeat(
  { db }: Pick<Deps, 'db'>,
  process: WorkerProcess & { pools: readonly string[] },
  leases: Leases,
): Promise<void> {
  const held = leases.extendable()
  await db.run(sql`
    with alive as (
      insert into worker_processes (id, host, boot_id, pid_namespace, pid, pools, started_at, beat_at)
      values (${process.id}::uuid, ${process.host}, ${process.bootId}, ${process.pidNamespace},
        ${process.pid}, ${[...process.pools]}::text[], engine_now(), engine_now())
      on conflict (id) do update set beat_at = excluded.beat_at, pools = excluded.pools
    )
    update attempts set due_at = engine_now() + (clock_timestamp() - statement_timestamp())
      + ${LEASE_MS}::float * interval '1 millisecond'
    from unnest(${held.map(({ id }) => id)}::uuid[], ${held.map((lease) => lease.leaseToken)}::uuid[])
      as held(attempt_id, token)
    where attempts.id = held.attempt_id and lease_token = held.token and lease_holder = ${process.id}::uuid
      and state in (${ACTIVE})
      and due_at < engine_now() + ${EXTEND_BEFORE_MS}::float * interval '1 millisecond'`)
}

/** The other processes on record in the same pid namespace: their pids can be looked up from here. */
export async function listNeighbours(
  { db }: Pick<Deps, 'db'>,
  { id, bootId, pidNamespace }: WorkerProcess,
): Promise<{ id: string; pid: number }[]> {
  return db.rows<{ id: string; pid: number }>(sql`
    select id, pid from worker_processes
    where boot_id = ${bootId} and pid_namespace = ${pidNamespace} and id <> ${id}::uuid`)
}

/**
 * Removes processes that are gone and, with `silentToo`, those that have been silent for long, and
 * unlocks the jobs that they had taken. Answers their ids: the leases they held are over.
 */
export async function forgetProcesses(
  { queue, log }: Pick<Deps, 'queue' | 'log'>,
  tx: Tx,
  { gone, silentToo }: { gone: readonly string[]; silentToo: boolean },
): Promise<string[]> {
  const dead = await tx.rows<{ id: string; pools: string[] }>(sql`
    delete from worker_processes
    where id = any(${[...gone]}::uuid[])
      or (${silentToo} and beat_at < engine_now() - make_interval(secs => ${SILENT_SECONDS}))
    returning id, pools`)
  if (dead.length === 0) return []
  await queue.release(
    tx,
    dead.flatMap(({ pools }) => pools),
  )
  const ids = dead.map(({ id }) => id)
  log.info({ processes: ids }, 'worker processes are gone; others go on with their work')
  return ids
}
