import sql from 'sql-template-tag'
import type { Deps } from './context'

/**
 * Removes rows whose time is over: ended sessions, old keys of generating calls, old assignments of
 * tokens, old counts of trials, old throttles.
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
  await db.run(sql`delete from throttles where expire < extract(epoch from engine_now()) * 1000`)
}
