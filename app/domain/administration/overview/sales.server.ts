import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { getVideoCosts } from '../../business/settings.server'
import type { AdminCtx } from '../../context'
import { costsOf, deliveriesSince, type Deliveries } from './deliveries.server'
import type { Currency } from '~/lib/currencies'
import { IS_PAID, UNUSED_SOLD } from '../../payments/list.server'
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
  made: Deliveries[]
}

/** Returns what was sold in the last weeks, from their payments and the kept counts of deliveries. */
export async function readSales(ctx: AdminCtx): Promise<Sales> {
  const { timeZone } = ctx.settings
  const costs = await getVideoCosts(ctx.db)
  const currency = costs?.currency ?? null
  const [rows, { unpaid }] = await Promise.all([
    readWeeks(ctx, currency),
    countUnpaid(ctx.db, timeZone),
  ])
  const unit = currency === null ? 1 : unitOf(currency)
  const weeks = rows.map(({ monday, plans, income, made }) => ({
    monday,
    plans,
    income: income / unit,
    cost: costsOf(made, costs),
  }))
  return { weeks, unpaid, currency }
}

/** Builds the Monday of the first of the weeks. */
const firstMonday = (timeZone: string): Sql =>
  sql`(date_trunc('week', engine_now() at time zone ${timeZone})::date - ${7 * (WEEKS - 1)}::int)`

/** Builds the moment at which the first of the weeks begins. */
const beginning = (timeZone: string): Sql =>
  sql`(${firstMonday(timeZone)}::timestamp at time zone ${timeZone})`

const readWeeks = (ctx: AdminCtx, currency: Currency | null): Promise<Row[]> => {
  const { timeZone } = ctx.settings
  return ctx.db.rows<Row>(sql`
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
            and earlier.state in ('confirmed', 'refunded') and ${IS_PAID}) as "isFirst"
      from payments where state in ('confirmed', 'refunded') and ${IS_PAID} and received_at >= ${beginning(timeZone)}
    ), sold as (
      select monday, json_agg(json_build_object('plan', plan, 'sales', sales, 'renewals', renewals)) as plans
      from (select monday, plan, count(*) filter (where "isFirst") as sales,
          count(*) filter (where not "isFirst") as renewals from paid group by 1, 2) as by_plan
      group by 1
    ), received as (
      select monday, sum(net) as income from (select monday, currency, net from paid
        union all select date_trunc('week', received_at at time zone ${timeZone})::date, currency, amount
        from ${UNUSED_SOLD} where received_at >= ${beginning(timeZone)}) as all_paid
      where currency = ${currency ?? ''} group by 1
    ), made as (
      select monday, json_agg(json_build_object('provider', provider, 'delivered', delivered,
        'costed', costed, 'own', own)) as each
      from (select date_trunc('week', day)::date as monday, provider, sum(delivered) as delivered,
          sum(costed) as costed, sum(own) as own
        from ${deliveriesSince(ctx, firstMonday(timeZone))} as kept group by 1, 2) as by_provider
      group by 1
    )
    select shown.monday::text as monday, coalesce(plans, '[]') as plans,
      coalesce(income, 0)::float as income, coalesce(made.each, '[]') as made
    from (select ${firstMonday(timeZone)} + 7 * n as monday from generate_series(0, ${WEEKS - 1}::int) as n) as shown
    left join sold on sold.monday = shown.monday
    left join received on received.monday = shown.monday
    left join made on made.monday = shown.monday
    order by shown.monday`)
}

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
