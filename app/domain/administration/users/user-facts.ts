import type { AuditFacts } from '../../audit/types'
import type { ManagedUser } from '../types'

/** Returns the facts about an account for the audit log. */
export function userFacts(user: ManagedUser): AuditFacts {
  return {
    role: user.role,
    plan: user.plan,
    videoLimit: user.videoLimit,
    speedLimit: user.speedLimit,
    videoGenerationSpeed: user.videoGenerationSpeed,
    expiryDate: user.expiryDate,
    token: user.tokenMasked,
    isActive: user.isActive,
  }
}
