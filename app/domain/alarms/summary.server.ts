import sql from 'sql-template-tag'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayIn } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import type { AlarmSettings } from '../business/types'
import type { Deps } from '../context'
import { today } from '../days.server'
import type { SystemFacts } from '../health/types'
import type { News } from '../notifications/alarm-messages'
import { IS_FAILED } from '../videos/states.server'

type Moment = { alarms: AlarmSettings; facts: SystemFacts; now: Date; time: string }

const SUMMARY = 'summary'

/**
 * Returns the summary of the day before, once a day and within an hour of its time: one that was
 * missed, or switched on later in the day, waits for the next day.
 */
export async function dailySummary(
  { settings: { timeZone } }: Pick<Deps, 'settings'>,
  tx: Tx,
  { alarms: { summaryAt }, facts, now, time }: Moment,
): Promise<News[]> {
  if (summaryAt === null || time < summaryAt || minutesOf(time) - minutesOf(summaryAt) >= 60)
    return []
  const last = await tx.row<{ toldAt: Date }>(sql`
    select told_at as "toldAt" from alarms where name = ${SUMMARY} and told_at is not null`)
  if (last && dayIn(timeZone, last.toldAt) === dayIn(timeZone, now)) return []
  await tx.run(sql`
    insert into alarms (name, started_at, ended_at, told_at, is_owed)
    values (${SUMMARY}, ${now}, ${now}, ${now}, false)
    on conflict (name) do update set told_at = excluded.told_at`)
  const { delivered, failed, sold, ending } = await count(tx, timeZone)
  const { ok, total } = facts.pool
  const lines = [
    `Yesterday: ${plural(sold, 'plan')} sold or renewed, ${plural(delivered, 'video')} delivered, ${failed} failed.`,
    `${plural(ending, 'plan')} ${ending === 1 ? 'ends' : 'end'} within three days.`,
    `Tokens that work: ${ok} of ${total}.`,
  ]
  return [
    { name: SUMMARY, state: 'notice', title: 'The day before', lines, path: paths.admin.users },
  ]
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

type Counts = { delivered: number; failed: number; sold: number; ending: number }

const SALES = ['user.create', 'user.quick-create', 'user.renew', 'user.add-days']

/** Counts what happened yesterday. It reads the orders of two days, once a day. */
const count = (tx: Tx, timeZone: string): Promise<Counts> =>
  tx.one<Counts>(sql`
    with bounds as (
      select (${today(timeZone)} - 1)::timestamp at time zone ${timeZone} as since,
        ${today(timeZone)}::timestamp at time zone ${timeZone} as until
    )
    select
      (select count(*)::int from attempts, bounds
        where state = 'done' and settled_at >= since and settled_at < until) as delivered,
      (select count(distinct video_id)::int from attempts, bounds join videos on true
        where videos.id = attempts.video_id and ${IS_FAILED} and attempts.state <> 'done'
          and settled_at >= since and settled_at < until) as failed,
      (select count(*)::int from trail_entries, bounds
        where action = any(${SALES}::text[]) and at >= since and at < until) as sold,
      (select count(*)::int from users
        where deleted_at is null and is_active and plan is not null
          and expiry_date >= engine_now() and expiry_date < engine_now() + interval '3 days') as ending`)
