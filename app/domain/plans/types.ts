export const PLAN_NAMES = ['Starter', 'Professional', 'Business', 'Enterprise'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

export type SupportLevel = '24/7' | 'Priority' | 'VIP' | 'Dedicated'

/** How fast a user's videos may go out: `videos` at once, the next ones `delaySeconds` later. */
export type Pace = { videos: number; delaySeconds: number }

export type Plan = {
  name: PlanName
  /** Price a month. */
  rupees: number
  dollars: number
  videosPerDay: number
  pace: Pace
  support: SupportLevel
  popular: boolean
  /** What the plan's card says beside the figures. */
  extras: readonly string[]
}
