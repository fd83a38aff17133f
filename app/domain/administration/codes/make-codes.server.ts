import { createHash, randomInt } from 'node:crypto'
import { stringify } from 'csv-stringify/sync'
import sql from 'sql-template-tag'
import { plural } from '~/lib/figures'
import { newId } from '~/lib/ids'
import { isDuplicate } from '~/platform/db/duplicate'
import type { Tx } from '~/platform/db/port'
import { requireProofOf } from '../../accounts/proof.server'
import { logActivity } from '../../activity/write.server'
import { getCodeIncome, getPlans } from '../../business/settings.server'
import type { HelperCtx } from '../../context'
import { endOfDay, today } from '../../days.server'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { amountText, moneyText, priceFor, unitOf } from '../../payments/money'
import { amountOf } from '../../payments/schemas'
import type { Money } from '../../payments/types'
import type { PlanName } from '../../plans/types'
import { actFor } from '../helpers/act-for.server'
import { newCode, readCode } from './code-text'
import type { MakeCodesInput } from './code-schemas'

/** Codes that were made together, with their texts, which are not stored. Their places are their numbers. */
export type MadeCodes = Money & {
  lotId: string
  plan: PlanName
  days: number
  soldTo: string | null
  endsAt: string
  codes: string[]
  /** The same as a CSV file. */
  csv: string
}

/**
 * Returns what is stored of a code. A plain hash is enough: of 2^75 codes nobody finds one by trying,
 * which a slow or keyed hash prevents for what people choose themselves.
 */
export const hashOfCode = (code: string): Buffer => createHash('sha256').update(code).digest()

/**
 * Makes prepaid codes and returns their texts, this once. Throws PASSWORD_NEEDED, BAD_INPUT, CONFLICT if
 * they are below the price and that is not ticked, or if the form was sent before, and FORBIDDEN for a
 * helper below the price, without one, or above the amount of a day.
 */
export async function makeCodes(
  ctx: HelperCtx,
  { plan, days, count, soldTo, note, lastDay, lotId = newId(), ...sold }: MakeCodesInput,
): Promise<MadeCodes> {
  const admin = actFor(ctx, 'codes')
  requireProofOf(admin, 'codes.make')
  const money = await priceOfEach(ctx, { plan, days, ...sold })
  const codes = [...distinct(count)]
  const rows = codes.map((code, i) => ({
    id: newId(),
    number: i + 1,
    hash: hashOfCode(readCode(code) ?? '').toString('hex'),
  }))
  const { username } = ctx.actor
  const { timeZone } = ctx.settings
  const endsAt = await ctx.db
    .transaction(async (tx) => {
      if (ctx.actor.role !== 'admin') await requireAmount(ctx, tx, { ...money, count })
      const isSold = (await getCodeIncome(tx)) === 'sold'
      const day = sql`coalesce(${lastDay}::date, (${today(timeZone)} + interval '1 year')::date)`
      const { end } = await tx.one<{ end: string | null }>(sql`
      select case when ${day} >= ${today(timeZone)} then ${isoText(endOfDay(day, timeZone))} end as end`)
      if (end === null) throw refused('lastDay', 'The last day is over')
      await tx.run(sql`
      insert into prepaid_codes (id, lot_id, number, hash, plan, days, amount, currency, sold_to, note,
        ends_at, counts_sold, made_at, made_by_id, made_by)
      select id, ${lotId}, number, decode(hash, 'hex'), ${plan}::plan_name, ${days}, ${money.amount},
        ${money.currency}, ${soldTo}, ${note}, ${end}::timestamptz, ${isSold}, engine_now(),
        ${ctx.actor.id}, ${username}
      from json_to_recordset(${JSON.stringify(rows)}::json) as code(id uuid, number int, hash text)`)
      const each = `${amountText(money)} ${money.currency}`
      const after = { plan, days, each, soldTo, note, until: end }
      await logActivity(tx, admin, { action: 'codes.make', count, after })
      return end
    })
    .catch((error: unknown) => {
      throw isDuplicate(error, 'prepaid_codes_lot_id_number_key') ? ALREADY : error
    })
  const terms = { plan, days, soldTo, endsAt, ...money }
  return { lotId, codes, ...terms, csv: csvOf(codes, terms) }
}

const ALREADY = new AppError(
  'CONFLICT',
  'These codes were made already, and are shown only once. If they are lost, block them and make others.',
)

const refused = (field: string, problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { [field]: [problem] } })

/** Chooses so many different codes. */
function distinct(count: number): Set<string> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(newCode(randomInt))
  return codes
}

type Terms = Pick<MakeCodesInput, 'plan' | 'days' | 'amount' | 'currency' | 'seenPrice'>

/** Returns what each code costs. Below the list price an administrator ticks it, and a helper may not. */
async function priceOfEach(
  { db, actor }: HelperCtx,
  { plan, days, amount, currency, seenPrice }: Terms,
): Promise<Money> {
  const price = priceFor({ plans: await getPlans(db), plan, days, instead: null }, currency)
  const each = amount === null ? price : amountOf('amount', amount, currency)
  if (price === null && actor.role !== 'admin')
    throw new AppError('FORBIDDEN', `There is no price in ${currency}. The administrator has to.`)
  if (each === null) throw refused('amount', 'Type the amount: there is no price for this')
  const money = { amount: each, currency }
  if (price !== null && each < price && !(seenPrice && actor.role === 'admin')) {
    const text = `${moneyText(money)} is below the price, ${moneyText({ amount: price, currency })}.`
    if (actor.role !== 'admin') throw new AppError('FORBIDDEN', `${text} The administrator has to.`)
    throw new AppError('CONFLICT', `${text} Tick it if that is right.`, {
      fields: { seenPrice: [text] },
    })
  }
  return money
}

/** Refuses a helper more than the amount of a day. Several at once wait for each other. */
async function requireAmount(
  { actor, settings: { timeZone } }: HelperCtx,
  tx: Tx,
  { amount, currency, count }: Money & { count: number },
): Promise<void> {
  const cap = await tx.row<{ upTo: number | null; currency: string | null }>(sql`
    select codes_up_to as "upTo", confirm_currency as currency from helper_rights
    where user_id = ${actor.id} for update`)
  const { made } = await tx.one<{ made: number }>(sql`
    select coalesce(sum(amount), 0)::float as made from prepaid_codes
    where made_by_id = ${actor.id} and made_at >= ${today(timeZone)}::timestamp at time zone ${timeZone}`)
  const most = cap?.currency === currency ? (cap.upTo ?? 0) * unitOf(currency) : 0
  if (made + amount * count <= most) return
  const sum = moneyText({ amount: amount * count, currency })
  throw new AppError(
    'FORBIDDEN',
    `You may not make ${plural(count, 'code')} of ${sum} today: ${moneyText({ amount: Math.max(0, most - made), currency })} is left. The administrator has to.`,
  )
}

type Made = Omit<MadeCodes, 'lotId' | 'codes' | 'csv'>

const csvOf = (codes: readonly string[], { plan, days, soldTo, endsAt, ...money }: Made): string =>
  stringify(
    codes.map((code, i) => ({
      number: i + 1,
      code,
      plan,
      days,
      amount: amountText(money),
      currency: money.currency,
      sold_to: soldTo ?? '',
      until: endsAt,
    })),
    { header: true, bom: true, escape_formulas: true },
  )
