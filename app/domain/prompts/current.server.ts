import sql from 'sql-template-tag'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Executor, Tx } from '~/platform/db/port'
import type { Deps } from '../context'
import { today } from '../days.server'

type CurrentDeps = Pick<Deps, 'db' | 'settings'>

/**
 * Order of turns in the library: prompts that were never current first, then the least recently
 * current.
 */
export const byTurn = sql`last_current_at nulls first, created_at, id`

/** Serialises transactions that change the current prompt, so that there is exactly one. */
export const lockCurrent = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.dailyPrompt})`)

/**
 * Keeps the current prompt unchanged until the transaction ends. Shared, so many transactions can
 * hold it. Without it, a transaction that changes the current prompt could deadlock with others on
 * prompt rows.
 */
export const keepCurrent = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.dailyPrompt})`)

/**
 * Rotates the daily prompt: if the day is over and the current prompt is not pinned, the next in
 * turn becomes current (decision Q-46). Idempotent. Safe to run concurrently.
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

async function isRotationDue(db: Executor, timeZone: string): Promise<boolean> {
  const { isDue } = await db.one<{ isDue: boolean }>(sql`
    select exists (select 1 from prompts) and not exists (
      select 1 from prompts where is_current and (is_pinned or current_on >= ${today(timeZone)})
    ) as "isDue"`)
  return isDue
}

/** Makes the next prompt in turn current if none is. Must be called under `lockCurrent`. */
export async function ensureCurrent(tx: Tx, timeZone: string): Promise<void> {
  await tx.run(sql`
    update prompts set is_current = true, is_pinned = false, last_current_at = engine_now(),
      current_on = ${today(timeZone)}
    where id = (select id from prompts order by ${byTurn} limit 1)
      and not exists (select 1 from prompts where is_current)`)
}
