import { figure } from '~/lib/figures'
import { FIRST_PROVIDER } from '../route'
import type { Plan, PlanName, Plans } from './types'

/**
 * The plans where the Plans page has not changed them. Only `getPlans` (../business/settings.server.ts)
 * knows what is sold.
 */
export const DEFAULT_PLANS = {
  Starter: {
    name: 'Starter',
    rupees: 200,
    dollars: 2,
    videosPerDay: 20,
    clipUnits: 1,
    pace: { videos: 1, delaySeconds: 90 },
    support: '24/7',
    popular: false,
    extras: [],
    route: FIRST_PROVIDER,
    devices: null,
    place: 1,
    isOffered: true,
  },
  Professional: {
    name: 'Professional',
    rupees: 500,
    dollars: 4,
    videosPerDay: 120,
    clipUnits: 1,
    pace: { videos: 3, delaySeconds: 60 },
    support: 'Priority',
    popular: false,
    extras: [],
    route: FIRST_PROVIDER,
    devices: null,
    place: 2,
    isOffered: true,
  },
  Business: {
    name: 'Business',
    rupees: 1500,
    dollars: 8,
    videosPerDay: 400,
    clipUnits: 1,
    pace: { videos: 5, delaySeconds: 45 },
    support: 'VIP',
    popular: true,
    extras: ['Bulk Generation'],
    route: FIRST_PROVIDER,
    devices: null,
    place: 3,
    isOffered: true,
  },
  Enterprise: {
    name: 'Enterprise',
    rupees: 3500,
    dollars: 15,
    videosPerDay: 1000,
    clipUnits: 1,
    pace: { videos: 10, delaySeconds: 30 },
    support: 'Dedicated',
    popular: false,
    extras: ['Unlimited Bulk Generation'],
    route: FIRST_PROVIDER,
    devices: null,
    place: 4,
    isOffered: true,
  },
} as const satisfies Plans

/** What only some plans include, and which. */
const FEATURES = {
  'api-keys': ['Enterprise'],
} as const satisfies Readonly<Record<string, readonly PlanName[]>>

/** Returns whether a plan includes a feature that only some include. */
export const planIncludes = (plan: PlanName | null, feature: keyof typeof FEATURES): boolean =>
  FEATURES[feature].some((name) => name === plan)

/** Returns the plans that buyers see, in their order. */
export const offeredPlans = (plans: Plans): Plan[] =>
  Object.values(plans)
    .filter(({ isOffered }) => isOffered)
    .sort((a, b) => a.place - b.place)

/** For example: Plans from 20 to 1,000 videos a day. */
export function plansInShort(offered: readonly Pick<Plan, 'videosPerDay' | 'clipUnits'>[]): string {
  const perDay = offered.map((plan) => Math.floor(plan.videosPerDay / plan.clipUnits))
  const [least, most] = [Math.min(...perDay), Math.max(...perDay)]
  if (perDay.length === 0) return 'Plans for every need'
  return least === most
    ? `Plans with ${figure(most)} videos a day`
    : `Plans from ${figure(least)} to ${figure(most)} videos a day`
}
