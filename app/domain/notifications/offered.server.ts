import type { Deps } from '../context'
import { AppError } from '../errors'
import type { NotificationChannel } from './types'

/** Throws FORBIDDEN if the operator has not switched a channel on. */
export function requireOffered(
  { settings }: Pick<Deps, 'settings'>,
  channel: NotificationChannel,
): void {
  if (!settings.notifications[channel]) throw new AppError('FORBIDDEN', 'This is not offered here')
}
