export const PLAN_NAMES = ['Starter', 'Professional', 'Business', 'Enterprise'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

export type SupportLevel = '24/7' | 'Priority' | 'VIP' | 'Dedicated'

/**
 * How fast a user's videos are released: `videos` per round, the next round `delaySeconds` later.
 */
export type Pace = { videos: number; delaySeconds: number }

export type Plan = {
  name: PlanName
  /** Price per month. */
  rupees: number
  dollars: number
  videosPerDay: number
  pace: Pace
  support: SupportLevel
  popular: boolean
  /** Additional lines on the plan's card. */
  extras: readonly string[]
}
