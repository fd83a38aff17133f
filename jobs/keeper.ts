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

export const BEAT_EVERY_MS = seconds(2)
/** Heartbeats in a row, each in time, before this process judges others by their silence. */
const STEADY_BEATS = 3
/** A longer pause between two heartbeats means that this process or the database did not answer. */
const IN_TIME_MS = seconds(SILENT_SECONDS)
/** A heartbeat that took longer says nothing about the silence of others. */
const PROMPT_MS = seconds(2)

export type Keeper = {
  /** One heartbeat, and a look for overdue attempts. Rejects when the database is away. */
  turn: () => Promise<void>
  /** Leaves in good order: what this process still holds goes to the others at once. */
  leave: () => Promise<void>
}

type Kept = { process: WorkerProcess; leases: Leases; pools: () => string[] }

/**
 * Keeps the work of all workers going. A process of this machine that is gone is noticed at the next
 * turn. Silence and expired leases are judged only by a process whose own last heartbeats were regular:
 * after an outage of the database, or a standstill, everybody gets the time for a heartbeat first.
 */
export function openKeeper(deps: Deps, { process, leases, pools }: Kept): Keeper {
  let lastHeartbeatAt = -Infinity
  let inTime = 0

  const lookAfterOthers = (gone: readonly string[]) => {
    const isSteady = inTime >= STEADY_BEATS
    if (gone.length === 0 && !isSteady) return Promise.resolve()
    return deps.db.transaction(async (tx) => {
      const lock = await tx.row<{ isMine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.keeper}) as "isMine"`,
      )
      if (!lock?.isMine) return
      const holders = await forgetProcesses(deps, tx, { gone, silentToo: isSteady })
      const woken = await wakeOverdue(deps, tx, { holders, expiredToo: isSteady })
      if (woken > 0) deps.log.info({ woken }, 'overdue attempts go on')
    })
  }

  return {
    turn: async () => {
      const startedAt = performance.now()
      inTime = startedAt - lastHeartbeatAt <= IN_TIME_MS ? inTime + 1 : 1
      lastHeartbeatAt = startedAt
      try {
        await heartbeat(deps, { ...process, pools: pools() }, leases)
        // A process that hung with the database, or stood still, must not judge others.
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
