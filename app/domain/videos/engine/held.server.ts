import sql from 'sql-template-tag'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { DISPATCH_NOW } from '../line.server'
import type { GateReason } from '../types'
import { openGatesFor } from './gates.server'

type HeldDeps = Pick<Deps, 'db' | 'queue'>

/** Reasons for which the gate of an account is closed. */
export const ACCOUNT_REASONS = [
  'token',
  'rate-limited',
  'quota',
  'forbidden',
  'model-gone',
  'unreadable',
  'no-clips',
] as const satisfies readonly GateReason[]

/**
 * Ends a hold whose reason no longer applies: deletes its gates and releases the entries that are
 * held for it. A new token (`token`) also helps videos that wait for a paused account.
 */
export const wakeHeld = ({ db, queue }: HeldDeps, reason: string): Promise<void> =>
  db.transaction(async (tx) => {
    await waitForDispatch(tx)
    await openGatesFor(tx, reason)
    await tx.run(sql`delete from provider_failures where kind = ${reason}`)
    await release(tx, queue, reason === 'token' ? ACCOUNT_REASONS : [reason])
  })

/**
 * Releases the entries that are held for gates of accounts, after one of these has opened. The next
 * dispatch holds those again whose gate is still closed.
 */
export const releaseHeldForGates = ({ db, queue }: HeldDeps): Promise<void> =>
  db.transaction(async (tx) => {
    await waitForDispatch(tx)
    await release(tx, queue, ACCOUNT_REASONS)
  })

/**
 * Waits for a running dispatch, which may have seen the reason and hold more entries for it. It
 * locks gates and entries under the same lock, so this comes before them.
 */
const waitForDispatch = (tx: Tx): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.dispatch})`)

/** Makes the entries due that are held for one of these reasons, and schedules a dispatch. */
async function release(tx: Tx, queue: HeldDeps['queue'], reasons: readonly string[]) {
  await tx.run(sql`
    update line_entries set wake_at = engine_now()
    where state = 'held' and hold_reason = any(${reasons}::text[])`)
  await queue.add(tx, [DISPATCH_NOW])
}
