import type { BatchStatus } from '../batches/types'
import type { AlarmChannel } from '../business/types'

export const NOTIFICATION_CHANNELS = ['email', 'webhook', 'push'] as const
/** How a user is told that a batch has ended, or is reminded. */
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

/** Who gets a message, and how. Without a user it is an alarm, for the administrators. */
export type Recipient =
  { userId: string; channel: NotificationChannel } | { userId: null; channel: AlarmChannel }

/** A dropped message was not sent, because its channel was turned off, its account is closed, or it was no longer so. */
export type NotificationState = 'waiting' | 'sent' | 'failed' | 'dropped'

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

/** A reminder that a customer was sent, about the end of their plan or day as it is now. */
export type Reminded = {
  reminder: ReminderName
  channels: NotificationChannel[]
  /** When the last of these channels took it (ISO 8601). */
  at: string
}

/** How a batch has ended. */
export type BatchEnd = {
  id: string
  name: string
  status: Extract<BatchStatus, 'completed' | 'cancelled'>
  ready: number
  failed: number
  cancelled: number
  /** Sent before it was cancelled, and not finished yet. */
  inProgress: number
  /** Quota units. */
  charged: number
  /** ISO 8601. */
  endedAt: string
}

/** A message as its user sees it. */
export type MessageView = {
  id: string
  channel: Recipient['channel']
  /** Null: a test, a reminder, or a clip. */
  batchId: string | null
  /** Whether the batch has clips to download now. */
  hasClips: boolean
  title: string
  /** When the batch ended, the reminder was written or the test was sent. */
  at: string
  state: NotificationState
  tries: number
  /** While it waits: when it is tried next. */
  nextTryAt: string | null
  /** HTTP status of the last response. */
  answer: number | null
  problem: string | null
}

/** A browser that is told. */
export type DeviceView = {
  id: string
  device: string
  /** ISO 8601, as the next one. */
  since: string
  /** When it last took a message. Null: never. */
  told: string | null
  /** Whether it is the browser that asks. */
  isThis: boolean
}

/** Where a user is told. Null: it is off. */
export type NotificationsView = {
  email: { address: string | null; asked: string | null } | null
  webhook: { url: string; isStopped: boolean; tellsClips: boolean } | null
  devices: DeviceView[]
  wishes: ReminderWishes
  messages: MessageView[]
}
