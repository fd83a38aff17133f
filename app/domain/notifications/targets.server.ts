import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { PushDevice } from '~/platform/push/port'
import { readSetting } from '../business/settings.server'
import { ALARM_CHANNELS, type AlarmChannel, type AlarmSettings } from '../business/types'
import type { Deps, Settings } from '../context'
import { AppError } from '../errors'
import type { Target } from './outcome'
import { getPushKeys } from './push-keys.server'
import { webhookSealedAs } from './sealed'
import type { NotificationChannel, Recipient } from './types'

/**
 * Returns where messages to a recipient go, or null: the channel is off, the operator does not offer it, or
 * the account is disabled or deleted. Locks the row until the transaction ends, so that one process at a
 * time decides what is sent.
 */
export async function lockTarget(
  deps: Deps,
  tx: Tx,
  { userId, channel }: Recipient,
): Promise<Target | null> {
  if (userId === null) return lockAlarmTarget(deps, tx, channel)
  if (!deps.settings.notifications[channel]) return null
  if (channel === 'push') return lockDevicesOf(deps, tx, userId)
  const { vault } = deps
  if (channel === 'email') {
    const row = await tx.row<{ address: string }>(sql`
      select address from notification_emails join users on users.id = notification_emails.user_id
      where user_id = ${userId} and address is not null and ${IS_OPEN} for update of notification_emails`)
    return row ? { channel, address: row.address } : null
  }
  const row = await tx.row<{ address: string; secretCipher: Buffer }>(sql`
    select url as address, secret_cipher as "secretCipher"
    from notification_webhooks join users on users.id = notification_webhooks.user_id
    where user_id = ${userId} and stopped_at is null and ${IS_OPEN} for update of notification_webhooks`)
  if (!row) return null
  const secret = vault.open(webhookSealedAs(userId), row.secretCipher)
  return { channel, address: row.address, secret, by: deps.webhooks }
}

async function lockDevicesOf(
  deps: Pick<Deps, 'vault' | 'pushes'>,
  tx: Tx,
  userId: string,
): Promise<Target | null> {
  const devices = await tx.rows<PushDevice & { id: string }>(sql`
    select push_subscriptions.id, endpoint, p256dh, auth
    from push_subscriptions join users on users.id = push_subscriptions.user_id
    where user_id = ${userId} and ${IS_OPEN} and ${isSignedIn} order by push_subscriptions.id for update of push_subscriptions`)
  if (devices.length === 0) return null
  return {
    channel: 'push',
    devices,
    keys: await getPushKeys({ db: tx, vault: deps.vault, pushes: deps.pushes }),
  }
}

/** Builds the channels by which a row of `users` is told: those that are on and that the operator offers. */
export const channelsOf = ({
  email,
  webhook,
  push,
}: Settings['notifications']): Sql => sql`array_remove(array[
  case when ${email} and exists (select from notification_emails
    where notification_emails.user_id = users.id and address is not null) then 'email' end,
  case when ${webhook} and exists (select from notification_webhooks
    where notification_webhooks.user_id = users.id and stopped_at is null) then 'webhook' end,
  case when ${push} and exists (select from push_subscriptions
    where push_subscriptions.user_id = users.id and ${isSignedIn}) then 'push' end], null)`

/** Whether the session in which a browser asked goes on. Signing out there ends what it is told. */
export const isSignedIn: Sql = sql`exists (select from sessions
  where sessions.user_id = push_subscriptions.user_id and sessions.id = push_subscriptions.session_id
    and sessions.expires_at > engine_now())`

const IS_OPEN: Sql = sql`users.is_active and users.deleted_at is null`

/** Returns the channels by which alarms can leave: those whose secrets the environment has. */
export function readyAlarmChannels({
  mail,
  settings,
  telegram,
}: Pick<Deps, 'mail' | 'settings' | 'telegram'>): readonly AlarmChannel[] {
  const isReady = {
    webhook: settings.alarmSecret !== null,
    telegram: telegram.isReady,
    email: mail.isReady,
  }
  return ALARM_CHANNELS.filter((channel) => isReady[channel])
}

/** Returns where alarms go by a channel, or null if it is off. */
export function alarmTarget(
  deps: Pick<Deps, 'alarmWebhooks' | 'settings'>,
  { targets }: Pick<AlarmSettings, 'targets'>,
  channel: AlarmChannel,
): Target | null {
  const address = targets[channel]
  if (address === null) return null
  if (channel !== 'webhook') return { channel, address }
  return { channel, address, secret: deps.settings.alarmSecret, by: deps.alarmWebhooks }
}

/** The same of the stored settings, whose row is locked until the transaction ends. */
async function lockAlarmTarget(
  deps: Pick<Deps, 'alarmWebhooks' | 'settings'>,
  tx: Tx,
  channel: AlarmChannel,
): Promise<Target | null> {
  await tx.run(sql`select 1 from business_settings where name = 'alarms' for update`)
  const alarms = await readSetting(tx, 'alarms')
  return alarms && alarmTarget(deps, alarms, channel)
}

/** Throws FORBIDDEN if the operator has not switched a channel on. */
export function requireOffered(
  { settings }: Pick<Deps, 'settings'>,
  channel: NotificationChannel,
): void {
  if (!settings.notifications[channel]) throw new AppError('FORBIDDEN', 'This is not offered here')
}

/** Gives up what waits for a recipient. */
export async function dropWaiting(tx: Tx, to: Recipient): Promise<void> {
  await tx.run(sql`
    update notifications set state = 'dropped', ended_at = engine_now(), sending_until = null
    where ${waitsFor(to)}`)
}

/** Whether a message waits to be sent to a recipient. */
export const waitsFor = ({ userId, channel }: Recipient): Sql =>
  userId === null
    ? sql`user_id is null and channel = ${channel}::notification_channel and state = 'waiting'`
    : sql`user_id = ${userId} and channel = ${channel}::notification_channel and state = 'waiting'`
