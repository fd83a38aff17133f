import sql from 'sql-template-tag'
import { getVideoCosts } from '../../business/settings.server'
import type { AdminCtx } from '../../context'
import { thisMonth, today } from '../../days.server'
import { choicesOf } from '../../providers.server'
import { isoText } from '../../iso-text.server'
import { getAllVideosCounts } from '../../videos/admin/all-videos-counts.server'
import type { SoldBreakEven } from '../../payments/break-even'
import { getSoldBreakEvens } from '../../payments/break-even.server'
import { getPoolSummary } from '../../tokens/pool-health.server'
import type { PoolSummary } from '../../tokens/types'
import { timeWithin } from './overview'
import { costsOf, deliveriesSince, type Deliveries } from './deliveries.server'
import { readSales, type Sales } from './sales.server'
import { UNITS_SOLD } from './units-sold.server'
import { getSummary, type Summary } from './summary.server'

const OVERVIEW_HOURS = 48
const OVERVIEW_DAYS = 30

export type OverviewHour = {
  /** Start of the hour. */
  from: string
  delivered: number
  failed: number
  /** The highest numbers within the hour. */
  online: number
  waiting: number
  held: number
}

/** Seconds from the order to the clip: of half of the deliveries, and of 95 in 100. */
export type OrderTimes = { median: number; p95: number }

/** A day in the platform's time zone, as YYYY-MM-DD. */
export type OverviewDay = {
  day: string
  delivered: number
  failed: number
  /** The units of these deliveries. */
  units: number
  /** Units that plans gave on this day. 0: not noted. */
  sold: number
  /** What the deliveries have cost, as far as that is known. */
  cost: number
}

type Reads = Pick<AdminCtx, 'db' | 'settings' | 'provider' | 'otherProviders'>

/** Builds the row `clock`: the first and the last of the shown hours, as they begin in the time zone. */
const hoursShown = (timeZone: string) => sql`(
  select last, last - make_interval(hours => ${OVERVIEW_HOURS - 1}::int) as first
  from (select date_bin('1 hour', engine_now(), ${today(timeZone)}::timestamp at time zone ${timeZone})
    as last) as now) as clock`

/** Returns the last 48 hours, the present one last, from kept counts. */
const readHours = ({ db, settings }: Reads): Promise<OverviewHour[]> =>
  db.rows<OverviewHour>(sql`
    select ${isoText(sql`shown.hour`)} as "from", coalesce(delivered, 0)::int as delivered,
      coalesce(failed, 0)::int as failed, coalesce(online, 0) as online, coalesce(waiting, 0) as waiting,
      coalesce(held, 0) as held
    from ${hoursShown(settings.timeZone)}
    cross join lateral generate_series(first, last, interval '1 hour') as shown(hour)
    left join lateral (select sum(delivered) as delivered, sum(failed) as failed from end_counts
      where starts_at >= shown.hour and starts_at < shown.hour + interval '1 hour') as ends on true
    left join lateral (select max(online) as online, max(waiting) as waiting, max(held) as held
      from load_peaks where starts_at >= shown.hour and starts_at < shown.hour + interval '1 hour') as load on true
    order by shown.hour`)

/**
 * Returns the times from the order to the clip of the hours of a day that have deliveries, by the hour's
 * start.
 */
async function readOrderTimes({ db, settings }: Reads): Promise<Record<string, OrderTimes>> {
  const rows = await db.rows<{ from: string; counts: number[] }>(sql`
    select ${isoText(sql`hour`)} as "from", array_agg(n order by step) as counts
    from (
      select date_bin('1 hour', starts_at, first) as hour, step, sum(n)::int as n
      from ${hoursShown(settings.timeZone)}, end_counts, unnest(times) with ordinality as kept(n, step)
      where starts_at > last - interval '1 day' group by 1, 2
    ) as sums group by hour`)
  const times = rows.flatMap(({ from, counts }) => {
    const [median, p95] = [timeWithin(counts, 0.5), timeWithin(counts, 0.95)]
    return median === null || p95 === null ? [] : [[from, { median, p95 }] as const]
  })
  return Object.fromEntries(times)
}

/** What a provider has delivered in the shown days, and what that has cost. */
export type ProviderUse = { kind: string; delivered: number; cost: number }

/** Returns the shown days, and the use of each provider in them if there are several. */
async function readDays(ctx: Reads): Promise<{ days: OverviewDay[]; uses: ProviderUse[] }> {
  const { db, settings } = ctx
  const { timeZone } = settings
  const costs = await getVideoCosts(db)
  const rows = await db.rows<Omit<OverviewDay, 'cost'> & { made: Deliveries[] }>(sql`
    select shown.day::text as day, coalesce(ends.delivered, 0)::int as delivered,
      coalesce(failed, 0)::int as failed, coalesce(units, 0)::int as units, coalesce(sold, 0) as sold, coalesce(made.each, '[]') as made
    from (select ${today(timeZone)} as last) as clock
    cross join lateral (select last - back as day
      from generate_series(0, ${OVERVIEW_DAYS - 1}::int) as back) as shown
    left join lateral (select sum(delivered) as delivered, sum(failed) as failed, sum(units) as units
      from end_counts where starts_at >= shown.day::timestamp at time zone ${timeZone}
        and starts_at < (shown.day + 1)::timestamp at time zone ${timeZone}) as ends on true
    left join lateral (select max(sold) as sold from load_peaks
      where starts_at >= shown.day::timestamp at time zone ${timeZone}
        and starts_at < (shown.day + 1)::timestamp at time zone ${timeZone}) as plans on true
    left join (
      select day, json_agg(json_build_object('provider', provider, 'delivered', delivered,
        'costed', costed, 'own', own)) as each
      from ${deliveriesSince(ctx, sql`(${today(timeZone)} - ${OVERVIEW_DAYS - 1}::int)`)} as kept group by 1
    ) as made on made.day = shown.day
    order by shown.day`)
  const all = rows.flatMap(({ made }) => made)
  const choices = choicesOf(ctx)
  const uses = choices.map(({ name, kind }) => {
    const own = all.filter(({ provider }) => provider === name)
    const delivered = own.reduce((sum, one) => sum + one.delivered, 0)
    return { kind, delivered, cost: costsOf(own, costs) }
  })
  return {
    days: rows.map(({ made, ...day }) => ({ ...day, cost: costsOf(made, costs) })),
    uses: choices.length > 1 ? uses : [],
  }
}

export type Units = {
  /** Units of all customers used today and this month, those in progress included. */
  usedToday: number
  usedThisMonth: number
  /** Units a day of all customers whose plan has not ended. */
  soldPerDay: number
  daysOfMonth: number
}

const readUnits = ({ db, settings: { timeZone } }: Reads): Promise<Units> =>
  db.one<Units>(sql`
    select
      (select coalesce(sum(reserved + charged), 0)::int from quota_days where day = ${today(timeZone)})
        as "usedToday",
      (select coalesce(sum(used), 0)::int from quota_months where month = ${thisMonth(timeZone)})
        as "usedThisMonth",
      ${UNITS_SOLD} as "soldPerDay",
      extract(day from ${thisMonth(timeZone)} + interval '1 month' - interval '1 day')::int as "daysOfMonth"`)

const readHeld = ({ db }: Reads): Promise<{ reason: string; count: number }[]> =>
  db.rows<{ reason: string; count: number }>(sql`
    select hold_reason as reason, count(*)::int as count from line_entries
    where state = 'held' and hold_reason is not null group by 1 order by 2 desc`)

export type Overview = {
  hours: OverviewHour[]
  /** By the start of the hour; an hour without deliveries is missing. */
  times: Record<string, OrderTimes>
  days: OverviewDay[]
  /** What each provider has delivered in these days. Empty with one provider. */
  uses: ProviderUse[]
  units: Units
  held: { reason: string; count: number }[]
  pool: PoolSummary
  summary: Summary
  sales: Sales
  /** The price of each plan that is sold, beside what its videos cost. */
  breakEvens: SoldBreakEven[]
  /** Videos that are failed now, as All Videos counts them. */
  failedNow: number
}

/** Returns how business goes, from counts that are kept as things happen: it reads no videos. */
export async function getOverview(ctx: AdminCtx): Promise<Overview> {
  const [hours, times, { days, uses }, units, held, pool, summary, sales, breakEvens, counts] =
    await Promise.all([
      readHours(ctx),
      readOrderTimes(ctx),
      readDays(ctx),
      readUnits(ctx),
      readHeld(ctx),
      getPoolSummary(ctx),
      getSummary(ctx),
      readSales(ctx),
      getSoldBreakEvens(ctx),
      getAllVideosCounts(ctx),
    ])
  return {
    hours,
    times,
    days,
    uses,
    units,
    held,
    pool,
    summary,
    sales,
    breakEvens,
    failedNow: counts.failed,
  }
}
