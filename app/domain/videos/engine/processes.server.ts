import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { ACTIVE } from './attempts.server'
import { LEASE_MS, type Leases } from './leases'

/** A worker process without a heartbeat for this long counts as gone. */
export const SILENT_SECONDS = 10

/** A lease is extended when less than this remains. Most steps end before that. */
const EXTEND_BEFORE_MS = (LEASE_MS * 2) / 3

/** A worker process. Its pid is only meaningful within one pid namespace of one running kernel. */
export type WorkerProcess = {
  id: string
  host: string
  bootId: string
  pidNamespace: string
  pid: number
}

/**
 * Records that a process is alive and the names under which it takes jobs, and extends the leases
 * of its running steps. Re-registers a process that was removed by mistake.
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

/**
 * Lists the other registered processes in the same pid namespace, whose pids can be checked
 * locally.
 */
export async function listNeighbours(
  { db }: Pick<Deps, 'db'>,
  { id, bootId, pidNamespace }: WorkerProcess,
): Promise<{ id: string; pid: number }[]> {
  return db.rows<{ id: string; pid: number }>(sql`
    select id, pid from worker_processes
    where boot_id = ${bootId} and pid_namespace = ${pidNamespace} and id <> ${id}::uuid`)
}

/**
 * Removes the processes in `gone` and, with `silentToo`, those without a recent heartbeat, and
 * unlocks their jobs. Returns their ids; the caller ends their leases.
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
  log.info({ processes: ids }, 'worker processes are gone; others take over their work')
  return ids
}
