import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { getPlans } from '../business/settings.server'
import { databaseNow } from '../clock.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { nameForms } from '../names/name-forms.server'
import { outcomeOf, surprisesOfAll, type Outcome, type Sale, type Trashed } from './outcome'
import { NO_TICKS, SEEN, type Ticks } from './ticks'
import { USER_RULES } from './rules'

/** Refuses what a seller may not do. Administrators may do all. */
export type May = (outcome: Outcome) => Promise<void> | void

/** What a seller has seen, and what they may do. */
export type Seller = { ticks: Ticks; may?: May }

/** An administrator who has ticked nothing. */
export const UNTICKED: Seller = { ticks: NO_TICKS }

/** Returns what will be so after each of these sales, with the plans as sold now. */
export async function foresee(
  { settings }: Pick<UserCtx, 'settings'>,
  db: Executor,
  sales: readonly Sale[],
): Promise<Outcome[]> {
  const [plans, now] = [await getPlans(db), (await databaseNow(db)).toISOString()]
  const { timeZone } = settings
  return sales.map((sale) => outcomeOf(sale, { plans, now, timeZone }))
}

/**
 * Asks what will be so after these sales, in the transaction that makes them, and returns it. Throws
 * CONFLICT with each surprise at the field of its tick unless it is ticked, and what `may` throws.
 */
export async function requireSeen(
  ctx: Pick<UserCtx, 'settings'>,
  tx: Executor,
  { sales, seller: { ticks, may } }: { sales: readonly Sale[]; seller: Seller },
): Promise<Outcome[]> {
  const outcomes = await foresee(ctx, tx, sales)
  for (const outcome of outcomes) await may?.(outcome)
  const unseen = surprisesOfAll(outcomes).filter(({ name }) => !ticks[SEEN[name]])
  if (unseen.length === 0) return outcomes
  const fields: Record<string, string[]> = {}
  for (const { name, text } of unseen) fields[SEEN[name]] = [...(fields[SEEN[name]] ?? []), text]
  const message = `${unseen.map(({ text }) => text).join(' ')} Tick it if that is right.`
  throw new AppError('CONFLICT', message, { fields })
}

/** Returns the newest deleted account of a number that can still be restored, or null. */
export async function findTrashed(
  ctx: Pick<UserCtx, 'settings'>,
  db: Executor,
  username: string,
): Promise<Trashed | null> {
  const { forms } = nameForms(username, ctx.settings.phoneCountries)
  return (await listTrashed(db, forms))[0] ?? null
}

/** Returns the deleted accounts with these names that can still be restored, the newest first. */
export const listTrashed = (db: Executor, names: readonly string[]): Promise<Trashed[]> =>
  db.rows<Trashed>(sql`
    select id, username, role, plan, is_active as "isActive",
      ${isoText(sql`expiry_date`)} as "expiryDate",
      ${isoText(sql`deleted_at + make_interval(days => ${USER_RULES.trashDays}::int)`)} as "goneAt"
    from users where deleted_at >= engine_now() - make_interval(days => ${USER_RULES.trashDays}::int)
      and username = any(${[...names]}::text[])
    order by deleted_at desc`)
