import type { ActivityFacts } from '../../activity/types'
import { fieldsOf } from '../account-fields'
import type { ManagedUser } from '../types'

/** Returns the facts about an account for the activity log. */
export function userFacts(user: ManagedUser): ActivityFacts {
  return {
    ...fieldsOf(user),
    expiryDate: user.expiryDate,
    token: user.tokenMasked,
  }
}
