import sql, { type Sql } from 'sql-template-tag'
import type { PaidTerms } from '../../payments/schemas'
import { PLAN_NAMES } from '../../plans/types'
import type { Sale, SoldState } from '../outcome'
import { sellsTime, soldDays } from './bulk-price'
import type { BulkLine } from './bulk-rules'
import type { BulkAction } from './bulk-schemas'

/** A user of a change with what of the account a sale is about. */
export type SoldLine = BulkLine & SoldState

/** Returns what a change sells or gives to each of its users: nothing, if plan and end stay. */
export function salesOf({ action, paid, enables }: Selling, lines: readonly SoldLine[]): Sale[] {
  if (!changesTerms(action) && !paid) return []
  return lines.map(({ username, after, ...before }) => ({
    username,
    before,
    after: {
      role: before.role,
      isActive: before.isActive || enables,
      plan: PLAN_NAMES.find((name) => name === after.plan) ?? before.plan,
      expiryDate: after.expiryDate ?? before.expiryDate,
    },
    trashed: null,
    days: sellsTime(action.kind) ? soldDays(action) : null,
    paid: paid ?? null,
  }))
}

type Selling = { action: BulkAction; paid?: PaidTerms | null; enables: boolean }

const changesTerms = ({ kind }: BulkAction): boolean => sellsTime(kind) || kind === 'change-plan'

/**
 * Condition for the lines of a change that may surprise. Of a renewal most do not: only users who cannot
 * use what they would be sold, or have a role; of one from today also those with days left.
 */
export function maySurprise(action: BulkAction): Sql {
  if (!changesTerms(action)) return sql`false`
  if (action.kind === 'change-plan' || (action.kind === 'renew' && action.from === 'today'))
    return sql`true`
  return sql`role <> 'user' or not "isActive" or "expiryDate"::timestamptz < engine_now()`
}

/** Adds to a line of a disabled account that it is enabled. */
export const enabled = (line: SoldLine): SoldLine =>
  line.isActive
    ? line
    : {
        ...line,
        before: { ...line.before, isActive: false },
        after: { ...line.after, isActive: true },
      }
