import sql from 'sql-template-tag'
import { assertNever } from '~/lib/assert-never'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { DISPATCH_NOW } from '../line.server'
import type { AttemptState } from '../types'
import { ACTIVE } from './attempts.server'

/**
 * A wake-up that is this late counts as lost. Workers are normally at most a few seconds behind.
 */
const LOST_AFTER = sql`interval '20 seconds'`
const MOST_AT_ONCE = 500

/** Leases to treat as ended: those of `holders` and, with `expiredToo`, those that have expired. */
export type ExpiryScope = { holders: readonly string[]; expiredToo: boolean }

/**
 * Finds overdue attempts (the lease of their step has ended, or their wake-up was lost) and adds
 * the job of their next step. An attempt in state `submitting` becomes `unknown`: its order is
 * looked for and never sent again. Returns the number of overdue attempts.
 */
export async function wakeOverdue(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  { holders, expiredToo }: ExpiryScope,
): Promise<number> {
  const found = await tx.rows<{ id: string; state: AttemptState }>(sql`
    update attempts set lease_holder = null, due_at = engine_now(),
      lost_at = case when state = 'submitting' then least(engine_now(), due_at) else lost_at end,
      state = case when state = 'submitting' then 'unknown'::attempt_state else state end,
      step_tries = case when state = 'submitting' then 0 else step_tries end
    where id in (
      select id from attempts
      where state in (${ACTIVE}) and (lease_holder = any(${[...holders]}::uuid[])
        or (${expiredToo} and due_at < engine_now()
          and (lease_holder is not null or due_at < engine_now() - ${LOST_AFTER})))
      order by due_at limit ${MOST_AT_ONCE} for update skip locked)
    returning id, state`)
  await queue.add(
    tx,
    found.map(({ id, state }) => stepJob(state, id)),
  )
  // Their orders may have held places in a line that opens slowly.
  if (found.length > 0) await queue.add(tx, [DISPATCH_NOW])
  return found.length
}

/** Returns the job of the step that an attempt in this state waits for. */
function stepJob(state: AttemptState, attemptId: string): NewJob {
  const payload = { attemptId }
  switch (state) {
    case 'queued':
      return { name: 'videos.submit', payload }
    case 'submitted':
      return { name: 'videos.poll', payload }
    case 'fetching':
      return { name: 'videos.fetch', payload }
    case 'unknown':
      return { name: 'videos.recover', payload }
    case 'submitting':
    case 'done':
    case 'failed':
    case 'orphaned':
    case 'abandoned':
      throw new Error(`an attempt that is ${state} waits for nothing`)
    default:
      return assertNever(state)
  }
}
