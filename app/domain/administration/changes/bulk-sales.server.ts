import sql from 'sql-template-tag'
import type { PaidTerms } from '../../payments/schemas'
import { PLAN_NAMES } from '../../plans/types'
import type { Sale, SoldState } from '../outcome'
import { sellsTime, soldDays } from './bulk-price'
import type { BulkLine } from './bulk-rules'
import type { BulkAction } from './bulk-schemas'

/** A user of a change with what of the account a sale is about. */
export type SoldLine = BulkLine & SoldState

/** Returns what a change sells to each of its users: nothing, if it is no renewal and nobody pays. */
export function salesOf({ action, paid, enables }: Selling, lines: readonly SoldLine[]): Sale[] {
  if (!sellsTime(action.kind) && !paid) return []
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

/** Users who cannot use what they would be sold, or have a role: most of those who surprise. */
export const MAY_SURPRISE = sql`role <> 'user' or not "isActive" or "expiryDate"::timestamptz < engine_now()`

/** Adds to a line of a disabled account that it is enabled. */
export const enabled = (line: SoldLine): SoldLine =>
  line.isActive
    ? line
    : {
        ...line,
        before: { ...line.before, isActive: false },
        after: { ...line.after, isActive: true },
      }
