import sql, { empty, join, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import type { AdminCtx, Settings } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { nameForms } from '../names/name-forms.server'
import { referenceKey } from './rules'
import type { PaymentsQuery } from './schemas'
import type { Money, MonthTotal, PaymentView } from './types'

const PAGE = 50

/** A query that continues after a payment, even if others have been recorded since. */
type Span = PaymentsQuery & { beyond?: { at: string; id: string } }

/** A deleted customer has no page. A visitor's claim names a number, which may have an account. */
const VIEW = sql`id, (select users.id from users where deleted_at is null
    and (users.id = user_id or user_id is null and users.username = payments.username)) as "userId",
  user_id is null and recorded_by is null as "isVisitors",
  state = 'claimed' and price is not null as "isUntyped", username, plan, amount, currency, method, reference,
  ${isoText(sql`received_at`)} as "receivedAt", note, recorded_by as "recordedBy", state, reason,
  ${isoText(sql`decided_at`)} as "decidedAt", decided_by as "decidedBy", change_id as "changeId",
  ${isoText(sql`period_from`)} as "periodFrom", ${isoText(sql`period_to`)} as "periodTo", refunded,
  case when method = 'referral' then price end as cost, is_repeat_seen as "isRepeatSeen", reference_key as key, picture_hash as screenshot,
  exists (select 1 from payment_pictures where payment_id = payments.id) as "hasScreenshot"`

/** Reads the newest payments that match a query, at most `limit`. */
export const readPayments = (
  { db, settings }: AdminCtx,
  query: Span,
  limit: number,
): Promise<PaymentView[]> =>
  db.rows<PaymentView>(sql`
    select ${VIEW} from payments ${whereOf(query, settings)}
    order by received_at desc, id desc limit ${limit}`)

export type PaymentPage = { payments: PaymentView[]; next: string | null }

/** Lists one page of the book, newest first. `next` is the cursor for the following page. */
export async function listPayments(ctx: AdminCtx, query: PaymentsQuery): Promise<PaymentPage> {
  const rows = await readPayments(ctx, query, PAGE + 1)
  const payments = rows.slice(0, PAGE)
  return { payments, next: rows.length > PAGE ? (payments.at(-1)?.id ?? null) : null }
}

/** Builds the condition for what was received in a month. */
const inMonth = (month: string, timeZone: string): Sql => sql`
  received_at >= ${`${month}-01`}::date::timestamp at time zone ${timeZone}
  and received_at < (${`${month}-01`}::date + interval '1 month') at time zone ${timeZone}`

function whereOf(query: Span, { timeZone, phoneCountries }: Settings): Sql {
  const { state, method, plan, month, customer, reference, after, beyond } = query
  const forms = nameForms(customer, phoneCountries).forms
  const conditions = [
    state === undefined ? empty : sql`state = ${state}::payment_state`,
    method === undefined ? empty : sql`method = ${method}`,
    plan === undefined ? empty : sql`plan = ${plan}::plan_name`,
    month === undefined ? empty : inMonth(month, timeZone),
    customer === '' ? empty : sql`username = any(${[...forms]}::text[])`,
    reference === '' ? empty : sql`reference_key = ${referenceKey(reference) ?? ''}`,
    after === undefined
      ? empty
      : sql`(received_at, id) < (select received_at, id from payments where id = ${after})`,
    beyond === undefined
      ? empty
      : sql`(received_at, id) < (${beyond.at}::timestamptz, ${beyond.id}::uuid)`,
  ].filter((condition) => condition !== empty)
  return conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`
}

/** Condition for a payment: what a referral gave stands in the book with its cost, and nobody paid for it. */
export const IS_PAID = sql`method <> 'referral'`

/**
 * Prepaid codes that are income of the day on which they were sold, and not used yet: their payment, with
 * the same day, takes their place. A blocked one is none.
 */
export const UNUSED_SOLD = sql`
  (select currency, plan, amount, made_at as received_at from prepaid_codes
    where counts_sold and state = 'open') as unused`

/**
 * Returns what was received in a month (YYYY-MM): of each currency by plan, then by method, then
 * altogether. Confirmed payments count, and refunded ones with what was given back, and prepaid codes
 * that are income when they are sold. Amounts of
 * different currencies are never added up.
 */
export async function monthTotals(
  { db, settings }: AdminCtx,
  month: string,
): Promise<MonthTotal[]> {
  const parts = await db.rows<MonthTotal>(sql`
    select currency, plan, method, count(*)::int as count, sum(amount)::bigint as received,
      sum(refunded)::bigint as refunded
    from (select currency, plan, method, amount, refunded from payments
        where state in ('confirmed', 'refunded') and ${IS_PAID} and ${inMonth(month, settings.timeZone)}
      union all select currency, plan, 'code', amount, 0 from ${UNUSED_SOLD}
        where ${inMonth(month, settings.timeZone)}) as received
    group by currency, plan, method order by currency, plan, method`)
  const currencies = [...new Set(parts.map(({ currency }) => currency))]
  return currencies.flatMap((currency) => {
    const ours = parts.filter((part) => part.currency === currency)
    const byPlan = ours.map((part) => ({ ...part, method: null }))
    const byMethod = ours.map((part) => ({ ...part, plan: null }))
    const all = ours.map((part) => ({ ...part, plan: null, method: null }))
    return [...addUp(byPlan), ...addUp(byMethod), ...addUp(all)]
  })
}

/** Returns what the referrals of a month (YYYY-MM) gave, at the prices of that time. */
export const referralCosts = (
  { db, settings }: AdminCtx,
  month: string,
): Promise<(Money & { count: number })[]> =>
  db.rows<Money & { count: number }>(sql`
    select currency, coalesce(sum(price), 0)::float as amount, count(*)::int as count from payments
    where state = 'confirmed' and not ${IS_PAID} and ${inMonth(month, settings.timeZone)}
    group by currency order by currency`)

/** Adds up the parts that have the same plan and method. */
function addUp(parts: readonly MonthTotal[]): MonthTotal[] {
  const sums = new Map<string, MonthTotal>()
  for (const part of parts) {
    const name = `${part.plan} ${part.method}`
    const sum = sums.get(name) ?? { ...part, count: 0, received: 0, refunded: 0 }
    sum.count += part.count
    sum.received += part.received
    sum.refunded += part.refunded
    sums.set(name, sum)
  }
  return [...sums.values()]
}

/** Returns how many claims wait for a decision, and since when. */
export const findOpenClaims = (db: Executor): Promise<{ count: number; since: string | null }> =>
  db.one<{ count: number; since: string | null }>(sql`
    select count(*)::int as count, ${isoText(sql`min(received_at)`)} as since
    from payments where state = 'claimed'`)

export const noSuchPayment = () => new AppError('NOT_FOUND', 'There is no such payment')

/** Returns one payment, or null. */
export async function findPayment(db: Executor, id: string | null): Promise<PaymentView | null> {
  if (id === null || !isId(id)) return null
  const row = await db.row<PaymentView>(sql`select ${VIEW} from payments where id = ${id}`)
  return row ?? null
}

/** A claim as its claimant sees it. */
export type OwnClaim = Pick<
  PaymentView,
  'id' | 'plan' | 'amount' | 'currency' | 'receivedAt' | 'state' | 'reason'
>

/** Returns the newest claims of an account, or the claim with this id, of which only its claimant knows. */
export const listOwnClaims = (
  db: Executor,
  { userId, id }: { userId: string | null; id: string | null },
): Promise<OwnClaim[]> =>
  db.rows<OwnClaim>(sql`
    select id, plan, amount, currency, ${isoText(sql`received_at`)} as "receivedAt", state, reason
    from payments
    where recorded_by is null and (user_id = ${userId}::uuid or id = ${isId(id ?? '') ? id : null}::uuid)
    order by received_at desc, id desc limit 3`)

/** Returns when the first payment was received, or null without one. */
export const firstPaymentAt = async (db: Executor): Promise<Date | null> =>
  (await db.prisma(({ payment }) => payment.aggregate({ _min: { receivedAt: true } })))._min
    .receivedAt
