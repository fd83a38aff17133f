import type { Plan, PlanName } from './types'

/** The plans as sold. Users have copies of the numbers, which an administrator may change. */
export const PLANS = {
  Starter: {
    name: 'Starter',
    rupees: 200,
    dollars: 2,
    videosPerDay: 20,
    pace: { videos: 1, delaySeconds: 90 },
    support: '24/7',
    popular: false,
    extras: [],
  },
  Professional: {
    name: 'Professional',
    rupees: 500,
    dollars: 4,
    videosPerDay: 120,
    pace: { videos: 3, delaySeconds: 60 },
    support: 'Priority',
    popular: false,
    extras: [],
  },
  Business: {
    name: 'Business',
    rupees: 1500,
    dollars: 8,
    videosPerDay: 400,
    pace: { videos: 5, delaySeconds: 45 },
    support: 'VIP',
    popular: true,
    extras: ['Bulk Generation'],
  },
  Enterprise: {
    name: 'Enterprise',
    rupees: 3500,
    dollars: 15,
    videosPerDay: 1000,
    pace: { videos: 10, delaySeconds: 30 },
    support: 'Dedicated',
    popular: false,
    extras: ['Unlimited Bulk Generation'],
  },
} as const satisfies Record<PlanName, Plan>

/** In display order, cheapest first. */
export const PLAN_LIST: readonly Plan[] = Object.values(PLANS)

const perDay = PLAN_LIST.map(({ videosPerDay }) => videosPerDay)

/** For example: Plans from 20 to 1000 videos a day. */
export const PLANS_IN_SHORT = `Plans from ${Math.min(...perDay)} to ${Math.max(...perDay)} videos a day`
