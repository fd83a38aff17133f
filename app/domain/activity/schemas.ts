import { z } from 'zod'
import { readDay } from '~/lib/day'
import { searchText } from '~/lib/fields'
import { ACTIVITY_ACTIONS, type ActivityAction } from './types'

const isAction = (value: string): value is ActivityAction => Object.hasOwn(ACTIVITY_ACTIONS, value)

/** A day in the format of date inputs. Any other value counts as missing. */
const day = z
  .string()
  .optional()
  .catch(undefined)
  .transform((text) => readDay(text ?? null) ?? undefined)

/** Part of a name. */
const name = searchText(200).catch('').default('')

/** Query of the activity log's page. Invalid values count as missing. */
export const activityQuery = z.object({
  actor: name,
  subject: name,
  action: z.string().refine(isAction).optional().catch(undefined),
  from: day,
  to: day,
  /** Id of the last entry of the previous page. */
  after: z.string().uuid().optional().catch(undefined),
})
export type ActivityQuery = z.output<typeof activityQuery>
