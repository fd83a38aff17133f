import sql, { type Sql } from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { takeTries } from '../accounts/tries.server'
import { databaseNow } from '../clock.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { isInBatch } from '../videos/batch-members.server'
import { listDevices, lockDevices, noteDeliveries } from './devices.server'
import { testMessage } from './messages'
import { getReminderWishes } from './reminders.server'
import { NOTIFICATION_LIMITS } from './rules'
import { sendOne } from './send.server'
import { dropWaiting, lockTarget, requireOffered } from './targets.server'
import type { MessageView, NotificationChannel, NotificationsView } from './types'

/**
 * Returns where the actor is told, of what they are reminded, and the last messages. The session is that of
 * the browser that asks.
 */
export async function getNotifications(
  { db, actor }: UserCtx,
  sessionId: string,
): Promise<NotificationsView> {
  const email = await db.row<NonNullable<NotificationsView['email']>>(sql`
    select address, case when token_until > engine_now() then asked_address end as asked
    from notification_emails where user_id = ${actor.id}`)
  const webhook = await db.row<NonNullable<NotificationsView['webhook']>>(sql`
    select url, stopped_at is not null as "isStopped", tells_clips as "tellsClips"
    from notification_webhooks where user_id = ${actor.id}`)
  const messages = await db.rows<MessageView>(sql`
    select id, channel, batch_id as "batchId", title, ${isoText(sql`at`)} as at, state, tries,
      case when notifications.state = 'waiting' then ${isoText(sql`next_try_at`)} end as "nextTryAt", answer, problem,
      exists (select from videos where ${isInBatch(sql`notifications.batch_id`)} and videos.user_id = ${actor.id}
        and status = 'completed' and deleted_at is null) as "hasClips"
    from notifications where user_id = ${actor.id} order by at desc, id desc limit ${NOTIFICATION_LIMITS.shown}`)
  return {
    email: email ?? null,
    webhook: webhook ?? null,
    devices: await listDevices(db, actor.id, sessionId),
    wishes: await getReminderWishes(db, actor.id),
    messages,
  }
}

const DELETES: Record<NotificationChannel, (userId: string) => Sql> = {
  email: (userId) => sql`delete from notification_emails where user_id = ${userId}`,
  webhook: (userId) => sql`delete from notification_webhooks where user_id = ${userId}`,
  push: (userId) => sql`delete from push_subscriptions where user_id = ${userId}`,
}

/** Turns a channel off, forgets its address, and gives up what waits. Does nothing if it is off. */
export async function turnOff({ db, actor }: UserCtx, channel: NotificationChannel): Promise<void> {
  await db.transaction(async (tx) => {
    // The row of the channel is locked before messages, as everywhere.
    if (channel === 'push') await lockDevices(tx, actor.id)
    await tx.run(DELETES[channel](actor.id))
    await dropWaiting(tx, { userId: actor.id, channel })
  })
}

/**
 * Sends the actor a test from this process and records it. Throws FORBIDDEN, RATE_LIMITED, and CONFLICT
 * if the channel is off or the receiver refused. Returns the HTTP status of a web address.
 */
export async function sendTestNotification(
  ctx: UserCtx,
  channel: NotificationChannel,
): Promise<number | null> {
  const { db, actor, settings, throttles } = ctx
  requireOffered(ctx, channel)
  await takeTries([[throttles.notificationTestByUser, actor.id]], 'tests')
  const target = await db.transaction((tx) => lockTarget(ctx, tx, { userId: actor.id, channel }))
  if (!target)
    throw new AppError(
      'CONFLICT',
      channel === 'push' ? 'No device is told yet' : 'Set and confirm an address first',
    )
  const id = newId()
  const time = (await databaseNow(db)).toISOString()
  const message = testMessage[channel](settings, time, id)
  const outcome = await sendOne(ctx, target, { id, told: [], ...message })
  const { deliveries } = outcome
  if (deliveries) await db.transaction((tx) => noteDeliveries(tx, actor.id, deliveries))
  const problem = outcome.isSent ? null : outcome.problem
  await db.run(sql`
    insert into notifications (id, user_id, channel, title, body, at, state, tries, next_try_at, ended_at,
      answer, problem)
    values (${id}, ${actor.id}, ${channel}::notification_channel, ${message.title}, ${message.body}, engine_now(),
      ${outcome.isSent ? 'sent' : 'failed'}::notification_state, 1, engine_now(), engine_now(), ${outcome.answer},
      ${problem})`)
  if (problem !== null) throw new AppError('CONFLICT', `${problem}.`)
  return outcome.answer
}
