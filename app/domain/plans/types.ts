export const PLAN_NAMES = ['Starter', 'Professional', 'Business', 'Enterprise'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

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
  /** How many of these a video uses. Accounts keep theirs. */
  clipUnits: number
  pace: Pace
  /** As on the plan's card: Priority. */
  support: string
  popular: boolean
  /** Additional lines on the plan's card. */
  extras: readonly string[]
  /** From which providers it is ordered (`readRoute`). Accounts keep theirs. */
  route: string
  /** On how many devices an account with it may be signed in at once. Null: no limit. */
  devices: number | null
  /** The lowest is shown first. */
  place: number
  /** Whether buyers see it. Accounts that have it keep it. */
  isOffered: boolean
}

/** The plans as sold now (`getPlans` in ../business/settings.server.ts). */
export type Plans = Readonly<Record<PlanName, Plan>>
