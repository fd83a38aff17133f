import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../context'
import type { Target } from './send.server'
import type { NewsOf } from './send-soon'
import type { NewsChannel } from './types'
import { webhookSealedAs } from './webhook-secret.server'

/**
 * Returns where a user wants news by a channel, or null: it is off, the operator does not offer it, or
 * the account is disabled or deleted. Locks the row until the transaction ends, so that one process at a
 * time decides what is sent.
 */
export async function lockTarget(
  { vault, settings }: Pick<Deps, 'vault' | 'settings'>,
  tx: Tx,
  { userId, channel }: NewsOf,
): Promise<Target | null> {
  if (!settings.news[channel]) return null
  if (channel === 'email') {
    const row = await tx.row<{ address: string }>(sql`
      select address from news_emails join users on users.id = news_emails.user_id
      where user_id = ${userId} and address is not null and ${IS_OPEN} for update of news_emails`)
    return row ? { channel, address: row.address } : null
  }
  const row = await tx.row<{ address: string; secretCipher: Buffer }>(sql`
    select url as address, secret_cipher as "secretCipher"
    from news_webhooks join users on users.id = news_webhooks.user_id
    where user_id = ${userId} and stopped_at is null and ${IS_OPEN} for update of news_webhooks`)
  if (!row) return null
  const secret = vault.open(webhookSealedAs(userId), row.secretCipher)
  return { channel, address: row.address, secret }
}

const IS_OPEN: Sql = sql`users.is_active and users.deleted_at is null`

/** Gives up what waits for a user by a channel. */
export async function dropWaiting(
  tx: Tx,
  { userId, channel }: { userId: string; channel: NewsChannel },
): Promise<void> {
  await tx.run(sql`
    update news_messages set state = 'dropped', ended_at = engine_now(), sending_until = null
    where user_id = ${userId} and channel = ${channel}::news_channel and state = 'waiting'`)
}
