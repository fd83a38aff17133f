import { plural } from '~/lib/figures'
import { days } from '~/lib/time'
import type { ChatOccasion } from '../../business/types'
import type { PlanName } from '../../plans/types'
import type { AccountFields } from '../account-fields'
import type { BulkAction, BulkKind, RenewFrom } from './bulk-schemas'

/** Number of days that a one-click renewal adds. */
export const RENEW_DAYS = 30

type Ending = { expiryDate: string | null; plan: PlanName | null }

/** Returns the end after 30 more days. An account with a plan and without an end keeps none. */
export const renewedEnd = (account: Ending, now: Date): string | null =>
  laterEnd(account, now, RENEW_DAYS)

/** The same after so many days. */
export function laterEnd({ expiryDate, plan }: Ending, now: Date, more: number): string | null {
  if (expiryDate === null && plan !== null) return null
  const start = Math.max(now.getTime(), expiryDate === null ? 0 : Date.parse(expiryDate))
  return new Date(start + days(more)).toISOString()
}

/** The providers and the units of a video that an account has from its plan. */
export type SoldWith = { route: string; clipUnits: number }

/** The columns that a change affects, stored so that it can be undone. */
export type BulkFacts = Partial<AccountFields & SoldWith> & {
  expiryDate?: string | null
  gifted?: number
  /** Whether the account exists. An import creates accounts, and undoing it deletes them. */
  exists?: boolean
}

/** One user of a change: the affected columns, old and new. */
export type BulkLine = { id: string; username: string; before: BulkFacts; after: BulkFacts }

const RENEWED_FROM = {
  later: '',
  end: ' from the old end',
  today: ' from today',
} as const satisfies Record<RenewFrom, string>

/** Returns the heading of a change for its preview and receipt. */
export function bulkActionText(action: BulkAction): string {
  switch (action.kind) {
    case 'renew':
      return `Renew by ${RENEW_DAYS} days${RENEWED_FROM[action.from]}`
    case 'add-days':
      return `Add ${plural(action.days, 'day')}`
    case 'change-plan':
      return `Change the plan to ${action.plan}`
    case 'gift-quota':
      return `Give ${plural(action.units, 'video')} for today`
    case 'disable':
      return 'Disable'
  }
}

/** What customers are told of in the chat after a change, by its kind. */
export const TOLD_OF: Partial<Record<BulkKind, ChatOccasion>> = {
  renew: 'renewed',
  'add-days': 'renewed',
  import: 'account',
}

/** Headings of the pages of changes, by kind. */
export const CHANGE_NAMES = {
  renew: 'Renewed',
  'add-days': 'Days added',
  'change-plan': 'Plan changed',
  'gift-quota': 'Quota given',
  disable: 'Disabled',
  import: 'Imported',
  create: 'Created',
  edit: 'Edited',
  refer: 'Referral',
} as const satisfies Record<BulkKind, string>
