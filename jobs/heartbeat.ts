import sql from 'sql-template-tag'
import type { Deps } from '~/domain/context'
import type { Leases } from '~/domain/videos/engine/leases'
import { wakeOverdue } from '~/domain/videos/engine/overdue.server'
import {
  heartbeat,
  forgetProcesses,
  listNeighbours,
  SILENT_SECONDS,
  type WorkerProcess,
} from '~/domain/videos/engine/processes.server'
import { seconds } from '~/lib/time'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import { isAlive } from './this-process'

export const HEARTBEAT_EVERY_MS = seconds(2)
/**
 * The number of consecutive heartbeats in time before this process may judge others by their
 * silence.
 */
const STEADY_HEARTBEATS = 3
/** A longer pause between two heartbeats means that this process or the database hung. */
const IN_TIME_MS = seconds(SILENT_SECONDS)
/** After a heartbeat that took longer, other processes must not be judged by their silence. */
const PROMPT_MS = seconds(2)

export type Heartbeat = {
  /** Runs one heartbeat and looks for overdue attempts. Rejects if the database is unavailable. */
  send: () => Promise<void>
  /**
   * Ends in good order: attempts that this process still has leases on are woken for other workers
   * at once.
   */
  leave: () => Promise<void>
}

type Sender = { process: WorkerProcess; leases: Leases; pools: () => string[] }

/**
 * Creates the heartbeat of this process, which also looks after the work of all workers. A dead
 * process on this machine is noticed at the next heartbeat. Silent processes and expired leases are
 * judged only by a process whose own recent heartbeats were in time. After a database outage or a
 * freeze, all processes therefore first have time for a heartbeat.
 */
export function openHeartbeat(deps: Deps, { process, leases, pools }: Sender): Heartbeat {
  let lastHeartbeatAt = -Infinity
  let inTime = 0

  const lookAfterOthers = (gone: readonly string[]) => {
    const isSteady = inTime >= STEADY_HEARTBEATS
    if (gone.length === 0 && !isSteady) return Promise.resolve()
    return deps.db.transaction(async (tx) => {
      const { isMine } = await tx.one<{ isMine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.overdue}) as "isMine"`,
      )
      if (!isMine) return
      const holders = await forgetProcesses(deps, tx, { gone, silentToo: isSteady })
      const woken = await wakeOverdue(deps, tx, { holders, expiredToo: isSteady })
      if (woken > 0) deps.log.info({ woken }, 'overdue attempts were woken')
    })
  }

  return {
    send: async () => {
      const startedAt = performance.now()
      inTime = startedAt - lastHeartbeatAt <= IN_TIME_MS ? inTime + 1 : 1
      lastHeartbeatAt = startedAt
      try {
        await heartbeat(deps, { ...process, pools: pools() }, leases)
        // A process that was frozen or waited for the database must not judge others.
        if (performance.now() - startedAt > PROMPT_MS) inTime = 0
        const neighbours = await listNeighbours(deps, process)
        const gone = neighbours.filter(({ pid }) => pid === process.pid || !isAlive(pid))
        await lookAfterOthers(gone.map(({ id }) => id))
      } catch (error) {
        inTime = 0
        throw error
      }
    },
    leave: () =>
      deps.db.transaction(async (tx) => {
        const holders = await forgetProcesses(deps, tx, { gone: [process.id], silentToo: false })
        await wakeOverdue(deps, tx, { holders, expiredToo: false })
      }),
  }
}
