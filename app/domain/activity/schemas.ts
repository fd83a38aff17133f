import { z } from 'zod'
import { searchText } from '~/lib/fields'
import { AUDIT_ACTIONS, type AuditAction } from './types'

const isAction = (value: string): value is AuditAction => value in AUDIT_ACTIONS

/** A day in the format of date inputs. Any other value counts as missing. */
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .refine((value) => !Number.isNaN(Date.parse(value)))
  .optional()
  .catch(undefined)

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
