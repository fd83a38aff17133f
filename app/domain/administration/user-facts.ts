import type { TrailFacts } from '../activity/types'
import type { ManagedUser } from './types'

/** What the trail tells of an account. */
export function userFacts(user: ManagedUser): TrailFacts {
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
