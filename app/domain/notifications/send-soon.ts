import type { NewJob } from '~/platform/queue/port'
import type { NotificationChannel } from './types'

export type NotificationsOf = { userId: string; channel: NotificationChannel }

/** Returns the one job that sends what waits for a user by a channel. */
export const sendSoon = (
  { userId, channel }: NotificationsOf,
  delayMs = 0,
): NewJob<'notifications.send'> => ({
  name: 'notifications.send',
  payload: { userId, channel },
  key: `notification ${channel} ${userId}`,
  delayMs,
})
