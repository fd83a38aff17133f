import type { AuditFacts } from '../activity/types'
import type { ManagedUser } from './types'

/** What the audit log tells of an account. */
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
