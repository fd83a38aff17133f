import type { NotificationChannel, Recipient } from './types'

/** Of what a customer is reminded. `tomorrow` are the last 24 hours before a plan's end. */
export type ReminderName = 'three-days' | 'tomorrow' | 'ended' | 'nearly-used'

/** Of what a user is reminded, and between which times of day (HH:MM in the platform's zone) not. */
export type ReminderWishes = {
  planEnd: boolean
  nearlyUsed: boolean
  /** Null, like `quietUntil`: at any hour. */
  quietFrom: string | null
  quietUntil: string | null
}

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

/** A reminder that a customer was sent, about the end of their plan or day as it is now. */
export type Reminded = {
  reminder: ReminderName
  channels: NotificationChannel[]
  /** When the last of these channels took it (ISO 8601). */
  at: string
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
