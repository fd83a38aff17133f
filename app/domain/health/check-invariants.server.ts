import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { Deps } from '../context'
import { INVARIANTS, type InvariantName } from './invariants.server'

type Violation = Record<string, unknown>

/** Returns the violations by invariant, at most 20 each. Empty if all invariants hold. */
export async function findViolations(
  db: Executor,
): Promise<Partial<Record<InvariantName, Violation[]>>> {
  const found: Partial<Record<string, Violation[]>> = {}
  for (const [name, statement] of Object.entries(INVARIANTS)) {
    const rows = await db.rows<Violation>(sql`${statement} limit 20`)
    if (rows.length > 0) found[name] = rows
  }
  return found
}

/** Checks all invariants, logs violations, and stores the results for administrators. */
export async function checkInvariants({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const found: Partial<Record<string, Violation[]>> = await findViolations(db)
  // Removes results of invariants that no longer exist in this release.
  await db.run(
    sql`delete from invariant_checks where name <> all(${Object.keys(INVARIANTS)}::text[])`,
  )
  for (const name of Object.keys(INVARIANTS)) {
    const violations = found[name] ?? []
    if (violations.length > 0)
      log.error({ invariant: name, violations }, 'an invariant does not hold')
    const sample = violations[0] === undefined ? null : JSON.stringify(violations[0])
    await db.run(sql`
      insert into invariant_checks (name, violations, sample, checked_at)
      values (${name}, ${violations.length}, ${sample}::jsonb, engine_now())
      on conflict (name) do update set violations = excluded.violations, sample = excluded.sample,
        checked_at = excluded.checked_at`)
  }
}
