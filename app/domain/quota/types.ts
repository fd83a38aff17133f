export type ChargeState = 'reserved' | 'charged' | 'returned'

/** Why a unit was taken. */
export type ChargeReason = 'generate' | 'bulk' | 'retry' | 'regenerate' | 'edit'

/** A user's quota as the screens tell it. */
export type QuotaView = {
  /** Units of today: the account's limit and what an administrator gave for the day. */
  limit: number
  /** Units of today, those in progress included. */
  used: number
  inProgress: number
  remaining: number
  usedThisMonth: number
  daysInMonth: number
  /** When today's units come back, ISO 8601, and that instant in words of the platform's zone. */
  resetsAt: string
  timeZone: string
}
