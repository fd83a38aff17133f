import { plural } from '~/lib/text'
import type { BulkAction } from './bulk-schemas'

/** One-click renewal adds a month of so many days. */
export const RENEW_DAYS = 30

/** The columns a change touches, as they are kept for taking it back. */
export type BulkFacts = {
  expiryDate?: string | null
  plan?: string | null
  videoLimit?: number
  speedLimit?: number
  videoGenerationSpeed?: number
  isActive?: boolean
  gifted?: number
}

/** What a change does, in words: the head of its preview and of its receipt. */
export function bulkActionText(action: BulkAction): string {
  switch (action.kind) {
    case 'renew':
      return `Renew by ${RENEW_DAYS} days`
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

/** The kinds of changes, as their pages are headed. */
export const CHANGE_NAMES = {
  renew: 'Renewed',
  'add-days': 'Days added',
  'change-plan': 'Plan changed',
  'gift-quota': 'Quota given',
  disable: 'Disabled',
} as const satisfies Record<BulkAction['kind'], string>
