import type { NotificationChannel, Recipient, ReminderName, ReminderWishes } from './types'

/** The wishes of whoever has saved none. */
export const DEFAULT_WISHES: ReminderWishes = {
  planEnd: true,
  nearlyUsed: false,
  quietFrom: null,
  quietUntil: null,
}

const tick = (isTicked: boolean): string => (isTicked ? 'on' : '')

/** Returns the fields of the form of reminders. */
export const reminderFields = ({ planEnd, nearlyUsed, quietFrom, quietUntil }: ReminderWishes) => ({
  planEnd: tick(planEnd),
  nearlyUsed: tick(nearlyUsed),
  quietFrom: quietFrom ?? '',
  quietUntil: quietUntil ?? '',
})

/** Two times are one span. */
export const REMINDERS_TOGETHER = [['quietFrom', 'quietUntil']] as const

/** The channels as lists of messages name them. */
export const CHANNEL_WORDS: Readonly<Record<Recipient['channel'], string>> = {
  email: 'e-mail',
  webhook: 'webhook',
  push: 'devices',
  telegram: 'Telegram',
}

const WORDS: Readonly<Record<ReminderName, string>> = {
  'three-days': 'Ends in 3 days',
  tomorrow: 'Ends tomorrow',
  ended: 'Has ended',
  'nearly-used': '80 % used',
}

/** Returns what administrators read of a reminder that was sent, as in 'Ends tomorrow, by e-mail and devices'. */
export const reminderText = (
  reminder: ReminderName,
  channels: readonly NotificationChannel[],
): string => `${WORDS[reminder]}, by ${channels.map((one) => CHANNEL_WORDS[one]).join(' and ')}`
