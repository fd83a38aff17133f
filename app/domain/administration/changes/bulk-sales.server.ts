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
      plan: planNamed(after.plan) ?? before.plan,
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

/** A user whom an undo puts back: old and new swapped, and the account as it is now. */
export type Returning = BulkLine & { now: SoldState; madeAt: string }

/** Returns what an undo makes of an account. One that the change created goes to the trash. */
const putBack = ({ username, now, after, madeAt }: Returning): Sale => ({
  username,
  before: now,
  after: {
    role: after.role ?? now.role,
    isActive: after.isActive ?? now.isActive,
    plan: after.plan === undefined ? now.plan : planNamed(after.plan),
    expiryDate: after.expiryDate === undefined ? now.expiryDate : after.expiryDate,
  },
  trashed: null,
  days: null,
  paid: null,
  undone: madeAt,
})

/** The same of the users of a change, and of those from whom the rewards that it brought are taken. */
export function putBacks(lines: readonly Returning[], taken: readonly Returning[]): Sale[] {
  const losing = new Set(taken.map(({ id }) => id))
  const byId = new Map([...taken, ...lines].map((line) => [line.id, line]))
  return [...byId.values()].map((line) => ({ ...putBack(line), takesReward: losing.has(line.id) }))
}

const planNamed = (text: string | null | undefined) =>
  PLAN_NAMES.find((name) => name === text) ?? null
