import sql from 'sql-template-tag'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Executor, Tx } from '~/platform/db/port'
import type { Deps } from '../context'

type CurrentDeps = Pick<Deps, 'db' | 'settings'>

/**
 * The library in the order of its turns: what was current the longest time ago comes first, what
 * never was before all others.
 */
export const byTurn = sql`last_current_at nulls first, created_at, id`

/** Only one transaction at a time changes which prompt is current: there is exactly one. */
export const lockCurrent = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.dailyPrompt})`)

/**
 * Keeps the current prompt as it is until the transaction ends, for many transactions at once. Without it
 * one that changes it could wait for the rows of another, and that one for its rows.
 */
export const keepCurrent = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.dailyPrompt})`)

/**
 * Gives the prompt of the day its turn: when the day is over and nobody pinned the current one, the
 * next in turn takes over (decision Q-46). Safe to run at any time, from anywhere.
 */
export async function rotateDailyPrompt({ db, settings }: CurrentDeps): Promise<void> {
  if (!(await isRotationDue(db, settings.timeZone))) return
  await db.transaction(async (tx) => {
    await lockCurrent(tx)
    await tx.run(sql`
      update prompts set is_current = false
      where is_current and not is_pinned and current_on < ${today(settings.timeZone)}`)
    await ensureCurrent(tx, settings.timeZone)
  })
}

/** The calendar day of the platform's time zone. */
export const today = (timeZone: string) => sql`(engine_now() at time zone ${timeZone})::date`

async function isRotationDue(db: Executor, timeZone: string): Promise<boolean> {
  const row = await db.row<{ isDue: boolean }>(sql`
    select exists (select 1 from prompts) and not exists (
      select 1 from prompts where is_current and (is_pinned or current_on >= ${today(timeZone)})
    ) as "isDue"`)
  return row?.isDue ?? false
}

/** Where no prompt is current, makes it the one whose turn it is. Under `lockCurrent`. */
export async function ensureCurrent(tx: Tx, timeZone: string): Promise<void> {
  await tx.run(sql`
    update prompts set is_current = true, is_pinned = false, last_current_at = engine_now(),
      current_on = ${today(timeZone)}
    where id = (select id from prompts order by ${byTurn} limit 1)
      and not exists (select 1 from prompts where is_current)`)
}
