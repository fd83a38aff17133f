import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { getVideoCost } from '../../business/settings.server'
import type { VideoCost } from '../../business/types'
import type { AdminCtx } from '../../context'
import type { Currency } from '~/lib/currencies'
import { UNUSED_SOLD } from '../../payments/list.server'
import { unitOf } from '../../payments/money'
import type { PlanName } from '../../plans/types'

/** As many as the kept counts of deliveries reach back. */
const WEEKS = 8
/** For so many days after it was created an account is new. */
const NEW_DAYS = 31

/** What was paid for one plan in a week. */
type PlanSales = {
  plan: PlanName
  /** First payments of customers whose account is new. */
  sales: number
  /** All others: renewals and upgrades. */
  renewals: number
}

/** A week in the platform's time zone, which begins on a Monday. */
export type SalesWeek = {
  /** Its Monday, as YYYY-MM-DD. */
  monday: string
  plans: PlanSales[]
  /** What was received, less what was given back, in the currency of the costs. */
  income: number
  /** What the deliveries have cost. */
  cost: number
}

export type Sales = {
  /** The present week last. */
  weeks: SalesWeek[]
  /** Renewals of these weeks for which no payment is recorded. */
  unpaid: number
  /** The currency of income and costs. Null: no cost of a video is set, so there is no margin. */
  currency: Currency | null
}

type Row = Omit<SalesWeek, 'income' | 'cost'> & {
  income: number
  delivered: number
  /** Deliveries of tokens with a cost of their own, and that cost. */
  costed: number
  own: number
}

/** Returns what was sold in the last weeks, from their payments and the kept counts of deliveries. */
export async function readSales({ db, settings: { timeZone } }: AdminCtx): Promise<Sales> {
  const cost = await getVideoCost(db)
  const [rows, { unpaid }] = await Promise.all([
    readWeeks(db, timeZone, cost),
    countUnpaid(db, timeZone),
  ])
  const unit = cost === null ? 1 : unitOf(cost.currency)
  const weeks = rows.map(({ monday, plans, income, ...deliveries }) => ({
    monday,
    plans,
    income: income / unit,
    cost: costOf(deliveries, cost),
  }))
  return { weeks, unpaid, currency: cost?.currency ?? null }
}

/** Builds the Monday of the first of the weeks. */
const firstMonday = (timeZone: string): Sql =>
  sql`(date_trunc('week', engine_now() at time zone ${timeZone})::date - ${7 * (WEEKS - 1)}::int)`

/** Builds the moment at which the first of the weeks begins. */
const beginning = (timeZone: string): Sql =>
  sql`(${firstMonday(timeZone)}::timestamp at time zone ${timeZone})`

const readWeeks = (db: Executor, timeZone: string, cost: VideoCost | null): Promise<Row[]> =>
  db.rows<Row>(sql`
    with paid as (
      select date_trunc('week', received_at at time zone ${timeZone})::date as monday, plan, currency,
        amount - refunded as net,
        -- A customer of long ago may have paid before payments were recorded.
        -- The change knows: a renewal or an upgrade is no new customer.
        not exists (select 1 from bulk_changes where bulk_changes.id = payments.change_id
          and kind not in ('create', 'import'))
        and not exists (select 1 from users where users.id = payments.user_id
          and users.created_at <= received_at - make_interval(days => ${NEW_DAYS}::int))
        and not exists (select 1 from payments as earlier
          where earlier.user_id = payments.user_id and earlier.received_at < payments.received_at
            and earlier.state in ('confirmed', 'refunded')) as "isFirst"
      from payments where state in ('confirmed', 'refunded') and received_at >= ${beginning(timeZone)}
    ), sold as (
      select monday, json_agg(json_build_object('plan', plan, 'sales', sales, 'renewals', renewals)) as plans
      from (select monday, plan, count(*) filter (where "isFirst") as sales,
          count(*) filter (where not "isFirst") as renewals from paid group by 1, 2) as by_plan
      group by 1
    ), received as (
      select monday, sum(net) as income from (select monday, currency, net from paid
        union all select date_trunc('week', received_at at time zone ${timeZone})::date, currency, amount
        from ${UNUSED_SOLD} where received_at >= ${beginning(timeZone)}) as all_paid
      where currency = ${cost?.currency ?? ''} group by 1
    ), ends as (
      select date_trunc('week', starts_at at time zone ${timeZone})::date as monday,
        sum(delivered) as delivered
      from end_counts where starts_at >= ${beginning(timeZone)} group by 1
    ), owned as (
      select date_trunc('week', day)::date as monday, sum(delivered) as costed,
        sum(delivered * cost_per_video) as own
      from credential_days join credentials on credentials.id = credential_id and cost_per_video is not null
      where day >= ${firstMonday(timeZone)} group by 1
    )
    select shown.monday::text as monday, coalesce(plans, '[]') as plans,
      coalesce(income, 0)::float as income, coalesce(delivered, 0)::int as delivered,
      coalesce(costed, 0)::int as costed, coalesce(own, 0)::float as own
    from (select ${firstMonday(timeZone)} + 7 * n as monday from generate_series(0, ${WEEKS - 1}::int) as n) as shown
    left join sold on sold.monday = shown.monday
    left join received on received.monday = shown.monday
    left join ends on ends.monday = shown.monday
    left join owned on owned.monday = shown.monday
    order by shown.monday`)

/**
 * Counts the renewals of these weeks for which no payment is recorded. Those with one are counted by the
 * moment of the decision, which is never before that of the change.
 */
const countUnpaid = (db: Executor, timeZone: string): Promise<{ unpaid: number }> =>
  db.one<{ unpaid: number }>(sql`
    with paid as (
      select change_id, count(*) as n from payments
      where decided_at >= ${beginning(timeZone)} and state in ('confirmed', 'refunded') group by 1
    )
    select coalesce(sum(count - coalesce(n, 0)), 0)::int as unpaid
    from bulk_changes left join paid on change_id = bulk_changes.id
    where created_at >= ${beginning(timeZone)} and undone_at is null and kind in ('renew', 'add-days')`)

/** Deliveries of a time, and those of tokens with a cost of their own, with that cost. */
type Deliveries = { delivered: number; costed: number; own: number }

/** Returns what deliveries have cost. Tokens without a cost of their own have that of one video. */
export function costOf({ delivered, costed, own }: Deliveries, cost: VideoCost | null): number {
  const other = cost === null ? 0 : cost.amount / unitOf(cost.currency)
  return own + Math.max(0, delivered - costed) * other
}
