import sql from 'sql-template-tag'
import { noteOnce } from '../../alarms/notices.server'
import { logActivity } from '../../activity/write.server'
import type { AdminCtx, HelperCtx, Right } from '../../context'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { markAsked } from '../../payments/decide.server'
import { claimSale } from '../../payments/claim.server'
import { nameForms } from '../../names/name-forms.server'
import type { PlanName } from '../../plans/types'
import { findPayment, noSuchPayment } from '../../payments/list.server'
import { isCurrency } from '~/lib/currencies'
import { askedText, moneyText, priceOf, unitOf } from '../../payments/money'
import type { ConfirmInput, TypedPayment } from '../../payments/schemas'
import { getPlans } from '../../business/settings.server'
import type { Outcome } from '../outcome'
import type { Ticks } from '../ticks'
import type { Money } from '../../payments/types'
import { actFor } from './act-for.server'
import { confirmClaim, type Confirmed } from '../confirm-claim.server'
import type { AskedClaim, HelperClaim } from '../types'

const CLAIMS_SHOWN = 50

/**
 * Lists the claims that wait, oldest first. `mayConfirm` tells whether the helper may confirm one, or it
 * waits for the administrator.
 */
export async function listHelperClaims(ctx: HelperCtx): Promise<HelperClaim[]> {
  if (!ctx.actor.rights.includes('payments')) return []
  const claims = await ctx.db.rows<Omit<HelperClaim, 'mayConfirm'>>(sql`
    select id, username, plan, amount, currency, reference, asked_by is not null as "isAsked",
      price is not null as "isUntyped",
      ${isoText(sql`received_at`)} as "receivedAt"
    from payments where state = 'claimed' order by received_at, id limit ${CLAIMS_SHOWN}`)
  const [cap, plans] = [await capOf(ctx), await getPlans(ctx.db)]
  return claims.map((claim) => {
    const { currency } = claim
    const price = isCurrency(currency) ? priceOf(plans[claim.plan], currency) : null
    const worth = price === null ? null : { amount: price, currency }
    return { ...claim, mayConfirm: isWithin(mostOf({ paid: claim, worth }), cap) }
  })
}

/**
 * Confirms a claim within the helper's amount, as `mayOf` says. Throws FORBIDDEN above it, and like
 * `confirmClaim`; a repeated reference is the administrator's to decide.
 */
export async function helperConfirm(
  ctx: HelperCtx,
  { id, how }: { id: string; how: ConfirmInput['how'] },
  ticks: Ticks,
): Promise<Confirmed> {
  const admin = actFor(ctx, 'payments')
  const claim = await findPayment(ctx.db, id)
  if (claim?.state !== 'claimed') throw noSuchPayment()
  const seller = { ticks: { ...ticks, isRestored: false }, may: mayOf(ctx) }
  return confirmClaim(admin, { id, how, isRepeatSeen: false }, seller)
}

/**
 * Asks the administrators to decide a claim above the helper's amount; they are told at once. Throws
 * NOT_FOUND, or CONFLICT if it is decided or was asked for already.
 */
export async function helperAskClaim(ctx: HelperCtx, id: string): Promise<void> {
  const admin = actFor(ctx, 'payments')
  await ctx.db.transaction(async (tx) => {
    const claim = await markAsked(tx, id, ctx.actor.username)
    const subject = { kind: 'payment', id, name: claim.username } as const
    await logActivity(tx, admin, { action: 'helper.ask-payment', subject })
    const text = `${ctx.actor.username}: ${askedText(claim)}.`
    await noteOnce(ctx, tx, { name: 'request', subjectId: id, text })
  })
}

/** What a helper asks to sell: a plan to a number, paid or not. */
export type AskedOrder = { username: string; plan: PlanName; paid: TypedPayment | null }

/**
 * Asks the administrators to make a sale above the helper's amount; they are told at once. Nothing is
 * sold yet: it is a claim, which they confirm or reject. Throws FORBIDDEN, CONFLICT if one waits
 * already, and BAD_INPUT if no amount was typed and there is no price.
 */
export async function helperAskSale(
  ctx: HelperCtx,
  right: Right,
  { username, plan, paid }: AskedOrder,
): Promise<void> {
  const admin = actFor(ctx, right)
  if (paid) actFor(ctx, 'payments')
  const { stored } = nameForms(username, ctx.settings.phoneCountries)
  const currency = paid?.currency ?? 'PKR'
  const price = priceOf((await getPlans(ctx.db))[plan], currency)
  const amount = paid ? (paid.amount ?? price) : 0
  if (amount === null) {
    const problem = 'Type the amount: there is no price for this'
    throw new AppError('BAD_INPUT', problem, { fields: { paidAmount: [problem] } })
  }
  const { username: askedBy } = ctx.actor
  const { method, reference } = paid ?? { method: 'other' as const, reference: null }
  const sale = { username: stored, plan, amount, currency, method, reference }
  await ctx.db.transaction(async (tx) => {
    const id = await claimSale(tx, { ...sale, askedBy })
    const subject = { kind: 'payment', id, name: stored } as const
    await logActivity(tx, admin, { action: 'helper.ask-payment', subject })
    const text = `${askedBy}: ${askedText(sale)}.`
    await noteOnce(ctx, tx, { name: 'request', subjectId: id, text })
  })
}

/** Lists the claims that helpers ask the administrators to decide, oldest first, at most 50. */
export const listAskedClaims = ({ db }: AdminCtx): Promise<AskedClaim[]> =>
  db.rows<AskedClaim>(sql`
    select id, username, plan, amount, currency, asked_by as "askedBy",
      ${isoText(sql`received_at`)} as "receivedAt"
    from payments where state = 'claimed' and asked_by is not null
    order by received_at, id limit ${CLAIMS_SHOWN}`)

/**
 * Returns what a helper may sell: only to customers, not to the own account or another with a role, and
 * up to their amount, with which the larger of payment and list price is compared. Without a payment
 * only a helper who has no amount at all is not limited.
 */
export const mayOf =
  (ctx: HelperCtx) =>
  async ({ role, paid, worth, username }: Outcome): Promise<void> => {
    if (ctx.actor.role === 'admin') return
    if (role !== 'user') {
      const message = `${username} is not a customer. The administrator has to decide this.`
      throw new AppError('FORBIDDEN', message)
    }
    const cap = await capOf(ctx)
    if (cap === null && paid === null) return
    const most = mostOf({ paid, worth })
    if (isWithin(most, cap)) return
    const message = `You may not confirm ${most ? moneyText(most) : 'this'}. The administrator has to.`
    throw new AppError('FORBIDDEN', message, { fields: { isAsked: [message] } })
  }

/** The larger of what was paid and what it is worth. Null: there is no price in this currency. */
const mostOf = ({ paid, worth }: { paid: Money | null; worth: Money | null }): Money | null => {
  if (worth === null) return null
  return paid && paid.amount > worth.amount
    ? { amount: paid.amount, currency: paid.currency }
    : worth
}

/** Returns whether the helper may confirm any payment at all. */
export const takesPayments = async (ctx: HelperCtx): Promise<boolean> =>
  ctx.actor.rights.includes('payments') && (await capOf(ctx)) !== null

/** The largest payment to confirm, in whole units. Null: none. */
type Cap = { upTo: number; currency: string } | 'any' | null

async function capOf({ db, actor }: HelperCtx): Promise<Cap> {
  if (actor.role === 'admin') return 'any'
  const row = await db.row<{ upTo: number; currency: string }>(sql`
    select confirm_up_to as "upTo", confirm_currency as currency from helper_rights
    where user_id = ${actor.id} and confirm_up_to is not null and confirm_currency is not null`)
  return row ?? null
}

/** An amount in another currency is never compared. */
function isWithin(money: Money | null, cap: Cap): boolean {
  if (cap === null || cap === 'any') return cap === 'any'
  if (money === null) return false
  const { amount, currency } = money
  return currency === cap.currency && isCurrency(currency) && amount <= cap.upTo * unitOf(currency)
}
