import sql from 'sql-template-tag'
import { ACCESS_ACTIONS } from './activity/types'
import type { Deps } from './context'

/** How long the audit log tells who signed in; what administrators did stays. */
const ACCESS_KEPT_DAYS = 180
/** Rows removed at once: this runs every minute. */
const PIECE = 5000

/**
 * Removes rows whose time is over: ended sessions, old keys of generating calls, old assignments of
 * tokens, old counts of trials, entries on signing in, old throttles.
 */
export async function removeExpired({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.run(sql`delete from sessions where expires_at < engine_now()`)
  await db.run(
    sql`delete from idempotency_keys where created_at < engine_now() - interval '2 days'`,
  )
  await db.run(
    sql`delete from pool_assignments where assigned_at < engine_now() - interval '30 days'`,
  )
  await db.run(sql`delete from trial_days where day < engine_now()::date - 2`)
  await db.run(sql`
    delete from trail_entries where id in (select id from trail_entries
      where action = any(${Object.keys(ACCESS_ACTIONS)}::text[])
        and at < engine_now() - make_interval(days => ${ACCESS_KEPT_DAYS}) limit ${PIECE})`)
  await db.run(sql`delete from throttles where expire < extract(epoch from engine_now()) * 1000`)
}
