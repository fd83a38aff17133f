export type ChargeState = 'reserved' | 'charged' | 'returned'

/** Why a unit was reserved. */
export type ChargeReason = 'generate' | 'bulk' | 'retry' | 'regenerate' | 'edit'

/** A user's quota as shown on screens. */
export type QuotaView = {
  /** Units available today: the account's limit plus gifts of administrators. */
  limit: number
  /** Units used today, including those in progress. */
  used: number
  inProgress: number
  /** How many more videos can be ordered today, and how many units each uses. */
  remaining: number
  clipUnits: number
  usedThisMonth: number
  daysInMonth: number
  /**
   * When today's units are renewed (ISO 8601), and the platform's time zone in which to display it.
   */
  resetsAt: string
  timeZone: string
}
