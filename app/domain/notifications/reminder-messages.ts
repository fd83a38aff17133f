import { figure } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayTimeAndZone } from '~/lib/time'
import type { PlanName } from '../plans/types'
import { NEARLY_USED_PERCENT } from '../quota/rules'
import { linkTo, mailOf, type Message, type Product } from './messages'
import type { NotificationChannel, ReminderName } from './types'

/** What a customer is reminded of, as it is when the message is written. */
export type Reminder = {
  reminder: ReminderName
  plan: PlanName
  isTrial: boolean
  /** The end of the plan, or of the day's videos (ISO 8601). */
  ofEnd: string
  /** As in 'ends in 3 days'. Null: the plan has ended. */
  when: string | null
  /** Whole videos a day, without those that were given for today. */
  limit: number
  timeZone: string
}

/** Returns what is sent as a reminder: the message's id, and when it was written as ISO 8601. */
export const reminderMessage: Record<
  NotificationChannel,
  (product: Product, reminder: Reminder, of: { id: string; at: string }) => Message
> = {
  email: (product, reminder) =>
    mailOf(
      product,
      titleOf(reminder),
      `${textOf(reminder)} ${moreOf(reminder)}: ${linkTo(product, paths.pricing)}`,
      `Reminders come to the addresses of your account. Turn them off: ${linkTo(product, paths.notifications)}`,
    ),
  push: (_product, reminder, { id }) => {
    const title = titleOf(reminder)
    const body = textOf(reminder)
    return { title, body: JSON.stringify({ title, body, url: paths.pricing, tag: id }) }
  },
  webhook: (product, reminder, { id, at }) => ({
    title: titleOf(reminder),
    body: JSON.stringify({
      event: EVENTS[reminder.reminder],
      id,
      time: at,
      ...factsOf(reminder),
      link: linkTo(product, paths.pricing),
    }),
  }),
}

const EVENTS = {
  'three-days': 'plan.ending',
  tomorrow: 'plan.ending',
  ended: 'plan.ended',
  'nearly-used': 'quota.nearly-used',
} as const satisfies Record<ReminderName, string>

const factsOf = ({ reminder, plan, isTrial, ofEnd, limit }: Reminder) =>
  reminder === 'nearly-used'
    ? { usedPercent: NEARLY_USED_PERCENT, videosPerDay: limit, resetsAt: ofEnd }
    : { plan, isTrial, endsAt: ofEnd }

const nounOf = ({ isTrial }: Reminder) => (isTrial ? 'trial' : 'plan')

function titleOf(reminder: Reminder): string {
  if (reminder.reminder === 'nearly-used')
    return `${NEARLY_USED_PERCENT} % of today’s videos are used`
  return `Your ${nounOf(reminder)} ${reminder.when === null ? 'has ended' : `ends ${reminder.when}`}`
}

function textOf(reminder: Reminder): string {
  const { ofEnd, limit, timeZone } = reminder
  const moment = dayTimeAndZone(ofEnd, timeZone)
  if (reminder.reminder === 'nearly-used') {
    const next = limit === 1 ? 'video comes' : `${figure(limit)} videos come`
    return `The next ${next} at ${moment}.`
  }
  if (reminder.when === null)
    return 'Your videos stay yours to watch, download and delete. Accepted videos wait until you renew.'
  return `Its end is ${moment}. Renew it to go on making videos.`
}

const moreOf = ({ reminder, isTrial }: Reminder) => {
  if (reminder === 'nearly-used') return 'For more videos a day, see the plans'
  return isTrial ? 'See the plans' : 'Renew or upgrade'
}
