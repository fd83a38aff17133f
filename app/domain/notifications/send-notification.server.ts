import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { ALARM_CHANNELS } from '../business/types'
import type { Deps } from '../context'
import { noteDeliveries } from './devices.server'
import { GONE, type Outcome, type Sending, type Target } from './outcome'
import { pauseAfter } from './rules'
import { holdReminders } from './reminders.server'
import { sendOne } from './send.server'
import { sendSoon } from './outbox.server'
import { dropWaiting, lockTarget, waitsFor } from './targets.server'
import type { Recipient } from './types'

type Due = Sending & { tries: number }
type Claimed = { due: Due; target: Target }

/**
 * Sends a recipient the next message that is due, and adds the job for the one after it. Each has one message at a
 * time under way, so that a dead receiver costs the others nothing. A process that is killed while it sends may
 * leave a message that is sent twice, with the same id. Returns whether one was delivered.
 */
export async function sendNotification(deps: Deps, to: Recipient): Promise<boolean> {
  const claimed = await deps.db.transaction((tx) => claim(deps, tx, to))
  if (!claimed) return false
  const { due, target } = claimed
  const outcome = await sendOne(deps, target, due)
  if (!outcome.isSent) {
    const { channel, userId } = to
    const { answer, problem } = outcome
    // What users' receivers say is theirs.
    if (userId === null) deps.log.warn({ channel, problem }, 'an alarm was not delivered')
    else deps.log.info({ channel, answer, tries: due.tries }, 'notification not sent')
  }
  await deps.db.transaction(async (tx) => {
    await record(tx, to, { due, target, outcome })
    await addNext(deps, tx, to)
  })
  return outcome.isSent
}

/** Sends the alarms that are due from this process, for a web server that finds no worker to do it. */
export async function sendAlarms(deps: Deps): Promise<void> {
  for (const channel of ALARM_CHANNELS)
    while (await sendNotification(deps, { userId: null, channel }));
}

/** Takes the message that is due first. Returns null if there is none, or another one is under way. */
async function claim(deps: Deps, tx: Tx, to: Recipient): Promise<Claimed | null> {
  const target = await lockTarget(deps, tx, to)
  if (!target) {
    await dropWaiting(tx, to)
    return null
  }
  if (to.userId === null) await giveUpOld(tx, waitsFor(to))
  else await holdReminders(deps, tx, to)
  // A minute is longer than one sending takes.
  const due = await tx.row<Due>(sql`
    update notifications set tries = tries + 1, sending_until = engine_now() + interval '1 minute',
      next_try_at = engine_now() + interval '1 minute'
    where id = (select id from notifications
        where ${waitsFor(to)} and next_try_at <= engine_now() order by next_try_at, id limit 1)
      and not exists (select from notifications where ${waitsFor(to)} and sending_until > engine_now())
    returning id, title, body, tries, told`)
  if (due) return { due, target }
  await addNext(deps, tx, to)
  return null
}

/** An alarm is tried for a day. What still lasts has been told again meanwhile. */
async function giveUpOld(tx: Tx, waiting: Sql): Promise<void> {
  await tx.run(sql`
    update notifications set state = 'failed', ended_at = engine_now(), sending_until = null
    where ${waiting} and at < engine_now() - interval '1 day'`)
}

/** Adds the job for the next message, for when it is due and nothing else is under way. */
async function addNext({ queue }: Pick<Deps, 'queue'>, tx: Tx, to: Recipient): Promise<void> {
  const { delayMs } = await tx.one<{ delayMs: number | null }>(sql`
    select (extract(epoch from greatest(min(next_try_at), max(sending_until)) - engine_now()) * 1000)::float
      as "delayMs"
    from notifications where ${waitsFor(to)}`)
  if (delayMs !== null) await queue.add(tx, [sendSoon(to, Math.max(0, delayMs))])
}

/** Records how a try went. The channel's rows are locked before messages, as everywhere. */
async function record(
  tx: Tx,
  { userId }: Recipient,
  { due: { id, tries }, target, outcome }: Claimed & { outcome: Outcome },
): Promise<void> {
  const { answer, deliveries } = outcome
  const told = [...(deliveries?.told ?? [])]
  if (deliveries && userId !== null) await noteDeliveries(tx, userId, deliveries)
  if (outcome.isSent) {
    await tx.run(sql`
      update notifications set state = 'sent', ended_at = engine_now(), sending_until = null,
        answer = ${answer}, problem = null
      where id = ${id} and state <> 'sent'`)
    return
  }
  const { problem } = outcome
  if (answer === GONE && target.channel === 'webhook' && userId !== null)
    await stopWebhook(tx, userId, target.address)
  // Whatever an alarm's receiver says, administrators can mend it, and each try reads where it goes.
  const isAlarm = userId === null
  const pauseMs = outcome.isFinal && !isAlarm ? null : pauseAfter(tries, { isAlarm })
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
    const late = await tx.rows<Recipient>(sql`
      select distinct user_id as "userId", channel from notifications
      where state = 'waiting' and greatest(next_try_at, sending_until) < engine_now() - interval '30 seconds'
      order by user_id nulls first limit 500`)
    await queue.add(
      tx,
      late.map((to) => sendSoon(to)),
    )
    return late.length
  })
}
