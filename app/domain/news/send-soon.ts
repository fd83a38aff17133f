import type { NewJob } from '~/platform/queue/port'
import type { NewsChannel } from './types'

export type NewsOf = { userId: string; channel: NewsChannel }

/** Returns the one job that sends what waits for a user by a channel. */
export const sendSoon = ({ userId, channel }: NewsOf, delayMs = 0): NewJob<'news.send'> => ({
  name: 'news.send',
  payload: { userId, channel },
  key: `news ${channel} ${userId}`,
  delayMs,
})
