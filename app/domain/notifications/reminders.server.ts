import sql, { type Sql } from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import { unitsOfClip } from '../accounts/columns.server'
import { endsWhen } from '../accounts/rules'
import { isOnTrial } from '../accounts/trial.server'
import type { Deps, Settings, UserCtx } from '../context'
import { endOfDay, today } from '../days.server'
import { isoText } from '../iso-text.server'
import { FEWEST_FOR_NEARLY, NEARLY_USED_PERCENT } from '../quota/rules'
import { addMessages } from './outbox.server'
import { reminderMessage, type Reminder } from './reminder-messages'
import { DEFAULT_WISHES } from './reminders'
import { channelsOf, waitsFor } from './targets.server'
import { NOTIFICATION_CHANNELS } from './types'
import type { NotificationChannel, Recipient, Reminded, ReminderWishes } from './types'

/** Customers that one sweep reminds: of thousands whose plans end together, the others follow a minute later. */
const AT_ONCE = 500

/** Staff are not reminded. An expiry date may have been rounded up by a millisecond (`daysLeft`). */
const IS_CUSTOMER = sql`users.role = 'user' and users.plan is not null and users.is_active and users.deleted_at is null`

/**
 * Builds what is so now and wanted, as rows of user_id, reminder and of_end: by the days that the badge shows, 3, 1,
 * and below 0 for three days. An account that was made for a few days is not told of three at its beginning.
 */
const dueReminders = (timeZone: string): Sql => sql`(
  select users.id as user_id, stage.reminder, users.expiry_date as of_end
  from (values ('three-days', 48, 72), ('tomorrow', 0, 24), ('ended', -96, -24)) as stage(reminder, beyond, within)
  join users on users.expiry_date > engine_now() + make_interval(hours => stage.beyond, secs => 0.001)
    and users.expiry_date <= engine_now() + make_interval(hours => stage.within, secs => 0.001)
  left join reminder_settings as wish on wish.user_id = users.id
  where ${IS_CUSTOMER} and coalesce(wish.plan_end, ${DEFAULT_WISHES.planEnd})
    and (stage.reminder <> 'three-days' or users.created_at <= users.expiry_date - interval '96 hours')
  union all
  select users.id, 'nearly-used', ${endOfDay(today(timeZone), timeZone)}
  from reminder_settings as wish
  join quota_days as used on used.user_id = wish.user_id and used.day = ${today(timeZone)}
  join users on users.id = wish.user_id
  where wish.nearly_used and used.reserved + used.charged > 0 and ${IS_CUSTOMER}
    and (users.expiry_date is null or users.expiry_date > engine_now() - interval '23:59:59.999')
    and users.video_limit + used.gifted >= ${FEWEST_FOR_NEARLY}
    and (used.reserved + used.charged) * 100 >= ${NEARLY_USED_PERCENT}::int * (users.video_limit + used.gifted))`

const localTime = (timeZone: string): Sql => sql`(engine_now() at time zone ${timeZone})`

/** Builds whether the wishes of a user, if any, want quiet now. */
const isQuiet = (timeZone: string): Sql => {
  const time = sql`to_char(${localTime(timeZone)}, 'HH24:MI')`
  return sql`coalesce(case when wish.quiet_from <= wish.quiet_until
    then ${time} >= wish.quiet_from and ${time} < wish.quiet_until
    else ${time} >= wish.quiet_from or ${time} < wish.quiet_until end, false)`
}

const HAS_CHANNEL = sql`(select user_id from notification_emails where address is not null
  union all select user_id from notification_webhooks where stopped_at is null
  union all select user_id from push_subscriptions)`

type Due = Pick<Reminder, 'reminder' | 'plan' | 'isTrial' | 'limit'> & {
  userId: string
  endsAt: Date
  now: Date
  channels: NotificationChannel[]
}

/**
 * Writes a message for each channel of the customers who are to be reminded of something and have not been told of it,
 * and adds the jobs that send them. Of one end a customer is told once, by the channels that they have then. Returns
 * how many customers. It runs every minute; what is no longer so when a message leaves is dropped (`holdReminders`).
 */
export async function remindCustomers(deps: Deps): Promise<number> {
  const { db, settings } = deps
  if (!NOTIFICATION_CHANNELS.some((channel) => settings.notifications[channel])) return 0
  return db.transaction(async (tx) => {
    const due = await readDue(tx, settings)
    await addMessages(
      deps,
      tx,
      due.flatMap((one) => messagesOf(settings, one)),
    )
    return due.length
  })
}

/** First whom it concerns at all, which costs little for each customer, and then what is known of these few. */
const readDue = (tx: Tx, { notifications, timeZone }: Settings): Promise<Due[]> =>
  tx.rows<Due>(sql`
    with untold as materialized (
      select due.user_id, due.reminder, due.of_end from ${dueReminders(timeZone)} as due
      where due.user_id in ${HAS_CHANNEL} and not exists (select from notifications as told
        where told.user_id = due.user_id and told.reminder = due.reminder and told.of_end = due.of_end
          and told.state <> 'dropped')
    )
    select users.id as "userId", untold.reminder, untold.of_end as "endsAt", users.plan, ${isOnTrial} as "isTrial",
      users.video_limit / ${unitsOfClip(sql`users.clip_units`)} as "limit",
      engine_now() as now, reach.channels
    from untold join users on users.id = untold.user_id
    left join reminder_settings as wish on wish.user_id = users.id
    cross join lateral (select ${channelsOf(notifications)} as channels) as reach
    where cardinality(reach.channels) > 0 and not ${isQuiet(timeZone)}
    order by untold.of_end, users.id limit ${AT_ONCE}`)

function messagesOf(settings: Settings, { userId, endsAt, now, channels, ...facts }: Due) {
  const { timeZone } = settings
  const when = facts.reminder === 'ended' ? null : endsWhen(endsAt, now, timeZone)
  const ofEnd = endsAt.toISOString()
  return channels.map((channel) => {
    const id = newId()
    const reminder = { ...facts, ofEnd, when, timeZone }
    const message = reminderMessage[channel](settings, reminder, { id, at: now.toISOString() })
    return { ...message, id, userId, channel, reminder: facts.reminder, ofEnd }
  })
}

const NO_LONGER_SO = 'It was no longer so when it was to be sent'

/**
 * Drops the reminders that wait for a recipient and are no longer so, such as after a renewal, and lets the others
 * wait for the end of quiet hours. It runs in the transaction that takes the next message.
 */
export async function holdReminders(
  { settings: { timeZone } }: Pick<Deps, 'settings'>,
  tx: Tx,
  to: Recipient,
): Promise<void> {
  const waiting = sql`${waitsFor(to)} and reminder is not null
    and (sending_until is null or sending_until <= engine_now())`
  const local = localTime(timeZone)
  // 'Tomorrow' is a word of one day. What is dropped is written anew, with the word of today.
  await tx.run(sql`
    update notifications set state = 'dropped', ended_at = engine_now(), sending_until = null, problem = ${NO_LONGER_SO}
    where ${waiting} and (reminder = 'tomorrow' and (at at time zone ${timeZone})::date <> ${today(timeZone)}
      or not exists (select from ${dueReminders(timeZone)} as due where due.user_id = notifications.user_id
        and due.reminder = notifications.reminder and due.of_end = notifications.of_end))`)
  await tx.run(sql`
    update notifications set next_try_at = quiet.until
    from (select (${local}::date + case when ${local}::time >= wish.quiet_until::time then 1 else 0 end
        + wish.quiet_until::time) at time zone ${timeZone} as until
      from reminder_settings as wish where wish.user_id = ${to.userId} and ${isQuiet(timeZone)}) as quiet
    where ${waiting} and next_try_at < quiet.until`)
}

/** Returns of what the actor is reminded. */
export const getReminderWishes = async (db: Executor, userId: string): Promise<ReminderWishes> =>
  (await db.row<ReminderWishes>(sql`
    select plan_end as "planEnd", nearly_used as "nearlyUsed", quiet_from as "quietFrom",
      quiet_until as "quietUntil" from reminder_settings where user_id = ${userId}`)) ??
  DEFAULT_WISHES

/** Stores of what the actor is reminded, and when not. */
export async function saveReminderWishes(
  { db, actor }: UserCtx,
  { planEnd, nearlyUsed, quietFrom, quietUntil }: ReminderWishes,
): Promise<void> {
  await db.run(sql`
    insert into reminder_settings (user_id, plan_end, nearly_used, quiet_from, quiet_until)
    values (${actor.id}, ${planEnd}, ${nearlyUsed}, ${quietFrom}, ${quietUntil})
    on conflict (user_id) do update set plan_end = excluded.plan_end, nearly_used = excluded.nearly_used,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until`)
}

type SentRow = Reminded & { userId: string }

/** Returns the reminders that these customers were sent about their plan's end, or this day, as it is now. */
export const listReminded = (
  { db, settings: { timeZone } }: Pick<Deps, 'db' | 'settings'>,
  userIds: readonly string[],
): Promise<SentRow[]> =>
  db.rows<SentRow>(sql`
    select users.id as "userId", reminder, array_agg(channel::text order by channel) as channels,
      ${isoText(sql`max(ended_at)`)} as at
    from notifications join users on users.id = notifications.user_id
    where users.id = any(${[...userIds]}::uuid[]) and reminder is not null and notifications.state = 'sent'
      and of_end = case reminder when 'nearly-used' then ${endOfDay(today(timeZone), timeZone)}
        else users.expiry_date end
    group by users.id, reminder order by max(ended_at) desc`)
