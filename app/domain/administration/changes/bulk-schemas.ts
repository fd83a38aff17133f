import { z } from 'zod'
import { oneOf, wholeNumber } from '~/lib/fields'
import type { UserFilterQuery } from '../users/list-schemas'
import { plan } from '../schemas'
import type { UserSelection } from '../users/user-selection'

export const bulkKind = z.enum([
  'renew',
  'add-days',
  'change-plan',
  'gift-quota',
  'disable',
  'import',
  'create',
  'edit',
  'refer',
])
export type BulkKind = z.output<typeof bulkKind>

const days = wholeNumber({
  label: 'Days',
  min: 1,
  max: 3650,
  tooSmall: 'Must be at least 1 day',
  tooLarge: 'Cannot exceed 3650 days',
})
const units = wholeNumber({
  label: 'Videos',
  min: 1,
  max: 10_000,
  tooSmall: 'Must be at least 1',
})

/** From what a renewal counts: the end of the account, today, or the later of the two. */
export const RENEW_FROM = ['later', 'end', 'today'] as const
export type RenewFrom = (typeof RENEW_FROM)[number]
export const renewFrom = oneOf('Renewal', RENEW_FROM).default('later')

/** The change applied to each of the users. */
export const bulkAction = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('renew'), from: renewFrom }),
    z.object({ kind: z.literal('add-days'), days }),
    z.object({ kind: z.literal('change-plan'), plan }),
    z.object({ kind: z.literal('gift-quota'), units }),
    z.object({ kind: z.literal('disable') }),
  ],
  { errorMap: () => ({ message: 'Choose what to change' }) },
)
export type BulkAction = z.output<typeof bulkAction>

/** The users to change. The filters matter if all that they find are selected. */
export type BulkTarget = UserSelection & { filters: UserFilterQuery }
