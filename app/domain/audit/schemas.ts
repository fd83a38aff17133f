import { z } from 'zod'
import { readDay } from '~/lib/day'
import { searchText } from '~/lib/fields'
import { AUDIT_ACTIONS, type AuditAction } from './types'

const isAction = (value: string): value is AuditAction => Object.hasOwn(AUDIT_ACTIONS, value)

/** A day in the format of date inputs. Any other value counts as missing. */
const day = z
  .string()
  .optional()
  .catch(undefined)
  .transform((text) => readDay(text ?? null) ?? undefined)

/** Part of a name. */
const name = searchText(200).catch('').default('')

/** Query of the audit log's page. Invalid values count as missing. */
export const auditQuery = z.object({
  actor: name,
  subject: name,
  action: z.string().refine(isAction).optional().catch(undefined),
  from: day,
  to: day,
  /** Id of the last entry of the previous page. */
  after: z.string().uuid().optional().catch(undefined),
})
export type AuditQuery = z.output<typeof auditQuery>
