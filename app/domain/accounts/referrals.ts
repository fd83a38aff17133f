import { figure, plural } from '~/lib/figures'

/**
 * What came of an invitation. The first payment decides it once: the inviter got the reward (`given`), had it
 * as often as a month allows (`cap`), or cannot get it (`unable`); the same person may be both, or had paid
 * before (`same-person`); or the referral was off. A reward that was undone stays so.
 */
export const REFERRAL_STATES = [
  'waiting',
  'given',
  'cap',
  'unable',
  'same-person',
  'off',
  'undone',
] as const
export type ReferralState = (typeof REFERRAL_STATES)[number]

/** The same for administrators. */
export const STATE_TEXTS = {
  waiting: 'no payment so far',
  given: 'the inviter got the reward',
  cap: 'the inviter had this month’s rewards already',
  unable: 'the inviter’s account could not get it',
  'same-person': 'no reward, the same person',
  off: 'no reward, it was off',
  undone: 'the reward was undone',
} as const satisfies Record<ReferralState, string>

/** What somebody's invite link has brought so far. */
export type Brought = {
  counts: Partial<Record<ReferralState, number>>
  /** Rewards of this month. */
  thisMonth: number
  days: number
  videos: number
}

const WHY_NOT: readonly (readonly [ReferralState, string])[] = [
  ['cap', 'this month’s rewards were used up'],
  ['unable', 'your plan had no end, or could not be used'],
  ['same-person', 'it was a browser of yours, or a number that had paid before'],
  ['off', 'there was no reward at that time'],
  ['undone', 'it was taken back'],
]

/** Says what an invite link has brought, a sentence a line. */
export function broughtTexts({ counts, days, videos }: Brought): string[] {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (all === 0) return ['Nobody has opened an account with it so far.']
  const got = [
    ...(days > 0 ? [plural(days, 'day')] : []),
    ...(videos > 0 ? [plural(videos, 'video')] : []),
  ]
  const paid = counts.given ?? 0
  return [
    `Accounts opened with it: ${figure(all)}. First payments to come: ${figure(counts.waiting ?? 0)}.`,
    ...(paid > 0 ? [`${plural(paid, 'first payment')} brought you ${got.join(' and ')}.`] : []),
    ...WHY_NOT.flatMap(([state, why]) => {
      const count = counts[state] ?? 0
      return count === 0 ? [] : [`${plural(count, 'first payment')} brought nothing: ${why}.`]
    }),
  ]
}
