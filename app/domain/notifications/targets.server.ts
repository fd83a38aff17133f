import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { PushDevice } from '~/platform/push/port'
import type { Deps } from '../context'
import type { Target } from './outcome'
import { getPushKeys } from './push-keys.server'
import type { NotificationsOf } from './send-soon'
import type { NotificationChannel } from './types'
import { webhookSealedAs } from './webhook-secret.server'

/**
 * Returns where a user wants notifications by a channel, or null: it is off, the operator does not offer it, or
 * the account is disabled or deleted. Locks the row until the transaction ends, so that one process at a
 * time decides what is sent.
 */
export async function lockTarget(
  deps: TargetDeps,
  tx: Tx,
  { userId, channel }: NotificationsOf,
): Promise<Target | null> {
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
  return { channel, address: row.address, secret }
}

type TargetDeps = Pick<Deps, 'vault' | 'settings' | 'pushes'>

async function lockDevicesOf(deps: TargetDeps, tx: Tx, userId: string): Promise<Target | null> {
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

/** Whether the session in which a browser asked goes on. Signing out there ends what it is told. */
export const isSignedIn: Sql = sql`exists (select from sessions
  where sessions.user_id = push_subscriptions.user_id and sessions.id = push_subscriptions.session_id
    and sessions.expires_at > engine_now())`

const IS_OPEN: Sql = sql`users.is_active and users.deleted_at is null`

/** Gives up what waits for a user by a channel. */
export async function dropWaiting(
  tx: Tx,
  { userId, channel }: { userId: string; channel: NotificationChannel },
): Promise<void> {
  await tx.run(sql`
    update notifications set state = 'dropped', ended_at = engine_now(), sending_until = null
    where user_id = ${userId} and channel = ${channel}::notification_channel and state = 'waiting'`)
}
