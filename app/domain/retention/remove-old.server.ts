import sql from 'sql-template-tag'
import type { Deps, KeptDays } from '../context'
import { RULES, type Rule } from './rules.server'

/** A retention rule as shown on the System page. */
export type RetentionRule = {
  name: string
  what: string
  /** Null: kept for ever. 0: removed as soon as the row has no more use. */
  days: number | null
  removed: number
  removedAt: string | null
}

type Scope = Pick<Deps, 'db' | 'queue' | 'settings' | 'log'>

const daysOf = ({ days }: Rule, kept: KeptDays): number | null =>
  typeof days === 'number' ? days : kept[days]

/**
 * Removes rows older than their rule's retention, in small transactions, until none is left or
 * `signal` aborts. Idempotent, interruptible, and safe to run concurrently. If a rule fails, the
 * others continue, and the first error is thrown at the end.
 */
export async function removeOld(scope: Scope, signal?: AbortSignal): Promise<void> {
  const errors: unknown[] = []
  for (const rule of RULES) {
    const days = daysOf(rule, scope.settings.keptDays)
    await noteRule(scope, rule.name, days)
    if (days === null) continue
    try {
      let total = 0
      for (let count = 1; count > 0 && !signal?.aborted; total += count) {
        count = await removePiece(scope, rule, days)
      }
      if (total > 0) scope.log.info({ rule: rule.name, days, count: total }, 'removed old rows')
    } catch (error) {
      scope.log.error({ err: error, rule: rule.name }, 'could not remove old rows')
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** Records the rule's setting. A shorter retention takes effect from now. */
async function noteRule({ db }: Scope, name: string, days: number | null): Promise<void> {
  await db.run(sql`
    insert into retention as known (name, days, since) values (${name}, ${days}::int, engine_now())
    on conflict (name) do update set days = excluded.days,
      since = case when excluded.days < coalesce(known.days, 2147483647) then engine_now() else known.since end
    where known.days is distinct from excluded.days`)
}

const removePiece = (scope: Scope, rule: Rule, days: number): Promise<number> =>
  scope.db.transaction(async (tx) => {
    const count = await rule.remove(tx, days, scope)
    if (count > 0) {
      await tx.run(sql`
        update retention set removed = removed + ${count}::int, removed_at = engine_now()
        where name = ${rule.name}`)
    }
    return count
  })

/** Lists the rules with what each has removed so far, for administrators. */
export async function listRetention({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<RetentionRule[]> {
  const rows = await db.rows<{ name: string; removed: number; removedAt: Date | null }>(
    sql`select name, removed, removed_at as "removedAt" from retention`,
  )
  const known = new Map(rows.map((row) => [row.name, row]))
  return RULES.map((rule) => ({
    name: rule.name,
    what: rule.what,
    days: daysOf(rule, settings.keptDays),
    removed: known.get(rule.name)?.removed ?? 0,
    removedAt: known.get(rule.name)?.removedAt?.toISOString() ?? null,
  }))
}
