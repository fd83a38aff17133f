import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../context'
import { noteDeliveries } from './devices.server'
import type { Outcome, Sending, Target } from './outcome'
import { pauseAfter } from './rules'
import { GONE, sendOne } from './send.server'
import { sendSoon, type NotificationsOf } from './send-soon'
import { dropWaiting, lockTarget } from './targets.server'
import type { NotificationChannel } from './types'

type Due = Sending & { tries: number }
type Claimed = { due: Due; target: Target }

/**
 * Sends a user the next message that is due by one channel, and adds the job for the one after it. A
 * user has one message at a time under way for each channel, so that a dead receiver costs the others nothing. A
 * process that is killed while it sends may leave a message that is sent twice, with the same id.
 */
export async function sendNotification(deps: Deps, of: NotificationsOf): Promise<void> {
  const claimed = await deps.db.transaction((tx) => claim(deps, tx, of))
  if (!claimed) return
  const { due, target } = claimed
  const outcome = await sendOne(deps, target, due)
  if (!outcome.isSent)
    deps.log.info(
      { channel: of.channel, answer: outcome.answer, tries: due.tries },
      'notification not sent',
    )
  await deps.db.transaction(async (tx) => {
    await record(tx, of.userId, { due, target, outcome })
    await addNext(deps, tx, of)
  })
}

/** Takes the message that is due first. Returns null if there is none, or another one is under way. */
async function claim(deps: Deps, tx: Tx, of: NotificationsOf): Promise<Claimed | null> {
  const { userId, channel } = of
  const target = await lockTarget(deps, tx, of)
  if (!target) {
    await dropWaiting(tx, of)
    return null
  }
  // A minute is longer than one sending takes.
  const due = await tx.row<Due>(sql`
    update notifications set tries = tries + 1, sending_until = engine_now() + interval '1 minute',
      next_try_at = engine_now() + interval '1 minute'
    where id = (select id from notifications
        where user_id = ${userId} and channel = ${channel}::notification_channel and state = 'waiting'
          and next_try_at <= engine_now()
        order by next_try_at, id limit 1)
      and not exists (select from notifications as other
        where other.user_id = ${userId} and other.channel = ${channel}::notification_channel
          and other.state = 'waiting' and other.sending_until > engine_now())
    returning id, title, body, tries, told`)
  if (due) return { due, target }
  await addNext(deps, tx, of)
  return null
}

/** Adds the job for the next message, for when it is due and nothing else is under way. */
async function addNext({ queue }: Deps, tx: Tx, of: NotificationsOf): Promise<void> {
  const { userId, channel } = of
  const { delayMs } = await tx.one<{ delayMs: number | null }>(sql`
    select (extract(epoch from greatest(min(next_try_at), max(sending_until)) - engine_now()) * 1000)::float
      as "delayMs"
    from notifications
    where user_id = ${userId} and channel = ${channel}::notification_channel and state = 'waiting'`)
  if (delayMs !== null) await queue.add(tx, [sendSoon(of, Math.max(0, delayMs))])
}

/** Records how a try went. The channel's rows are locked before messages, as everywhere. */
async function record(
  tx: Tx,
  userId: string,
  { due: { id, tries }, target, outcome }: Claimed & { outcome: Outcome },
): Promise<void> {
  const told = [...(outcome.deliveries?.told ?? [])]
  if (outcome.deliveries) await noteDeliveries(tx, userId, outcome.deliveries)
  if (outcome.isSent) {
    await tx.run(sql`
      update notifications set state = 'sent', ended_at = engine_now(), sending_until = null,
        answer = ${outcome.answer}, problem = null
      where id = ${id} and state <> 'sent'`)
    return
  }
  const { answer, problem, isFinal } = outcome
  if (answer === GONE && target.channel === 'webhook') await stopWebhook(tx, userId, target.address)
  const pauseMs = isFinal ? null : pauseAfter(tries)
  // Another process may have taken it meanwhile, if this one was frozen.
  await tx.run(sql`
    update notifications set sending_until = null, answer = ${answer}, problem = ${problem}, told = told || ${told}::uuid[],
      state = case when ${pauseMs}::float is null then 'failed'::notification_state else state end,
      ended_at = case when ${pauseMs}::float is null then engine_now() end,
      next_try_at = engine_now() + coalesce(${pauseMs}::float, 0) * interval '1 millisecond'
    where id = ${id} and state = 'waiting' and tries = ${tries}`)
}

/** Turns a webhook off whose receiver is gone, unless it has another address by now. */
async function stopWebhook(tx: Tx, userId: string, url: string): Promise<void> {
  await tx.run(sql`
    update notification_webhooks set stopped_at = engine_now()
    where user_id = ${userId} and url = ${url} and stopped_at is null`)
}

/** Adds the jobs of messages whose job was lost. Returns how many. */
export async function sweepNotifications({
  db,
  queue,
}: Pick<Deps, 'db' | 'queue'>): Promise<number> {
  return db.transaction(async (tx) => {
    const late = await tx.rows<{ userId: string; channel: NotificationChannel }>(sql`
      select distinct user_id as "userId", channel from notifications
      where state = 'waiting' and greatest(next_try_at, sending_until) < engine_now() - interval '30 seconds'
      limit 500`)
    await queue.add(
      tx,
      late.map((of) => sendSoon(of)),
    )
    return late.length
  })
}
