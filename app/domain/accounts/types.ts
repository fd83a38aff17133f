import type { PlanName } from '../plans/types'

export const USER_ROLES = ['admin', 'editor', 'user'] as const
export type UserRole = (typeof USER_ROLES)[number]

/** What the commands need to know of the account they act for. */
export type Account = {
  id: string
  username: string
  role: UserRole
  plan: PlanName | null
  isActive: boolean
  expiryDate: Date | null
  videoLimit: number
  speedLimit: number
  videoGenerationSpeed: number
}

/** An account as the product shows it to its owner and to administrators. */
export type UserView = {
  id: string
  username: string
  phone: string | null
  email: string | null
  role: UserRole
  plan: PlanName | null
  isActive: boolean
  expiryDate: string | null
  /** Whole days left, rounded up; null when the account never expires. */
  daysLeft: number | null
  videoLimit: number
  speedLimit: number
  videoGenerationSpeed: number
  videosGeneratedToday: number
  videosGeneratedThisMonth: number
  createdAt: string
}
