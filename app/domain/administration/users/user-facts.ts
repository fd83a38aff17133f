import type { AuditFacts } from '../../audit/types'
import { fieldsOf } from '../account-fields'
import type { ManagedUser } from '../types'

/** Returns the facts about an account for the audit log. */
export function userFacts(user: ManagedUser): AuditFacts {
  return {
    ...fieldsOf(user),
    expiryDate: user.expiryDate,
    token: user.tokenMasked,
  }
}
