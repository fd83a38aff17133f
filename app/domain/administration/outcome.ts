import { isCurrency } from '~/lib/currencies'
import { plural } from '~/lib/figures'
import { days, shortDay } from '~/lib/time'
import { daysLeft, standing, type Standing } from '../accounts/rules'
import type { UserRole } from '../context'
import { moneyText, priceFor } from '../payments/money'
import type { Money } from '../payments/types'
import type { PlanName, Plans } from '../plans/types'

// What will be so after money or access has changed hands. A sale, a renewal, the confirmation of a
// claim, an upgrade, an edit of plan or end, an import, a bulk change, a late payment and an undo ask
// it, before they are pressed and when they are carried out; dialogs, refusals, messages and chat
// texts are made of its answer.

/** What of an account a sale is about. */
export type SoldState = {
  role: UserRole
  isActive: boolean
  plan: PlanName | null
  expiryDate: string | null
}

/** A deleted account that can still be restored. */
export type Trashed = SoldState & { id: string; username: string; goneAt: string }

/** A change of one account, before it is made. */
export type Sale = {
  username: string
  /** Null: there is no account. */
  before: SoldState | null
  after: SoldState
  /** A deleted account of the same number, if this makes a second one. */
  trashed: Trashed | null
  /** The days that are sold. Null: what the new end adds, or those left if the end stays. */
  days: number | null
  /** Null: no payment. Without an amount it is the price. */
  paid: { amount: number | null; currency: string } | null
  /** A change of this moment is undone: what was there before comes back, and nothing is sold. */
  undone?: string
  /** A reward that the change brought is taken back with it. */
  takesReward?: boolean
  /** Sold earlier, until the end `to`. Only now a payment of it is recorded. */
  late?: { at: string; to: string | null }
}

/** What surprises a seller, in the order in which it is said. Each needs a tick. */
export const SURPRISES = [
  'role',
  'trash',
  'disabled',
  'expired',
  'plan',
  'days',
  'price',
  'reward',
] as const
export type SurpriseName = (typeof SURPRISES)[number]
export type Surprise = { name: SurpriseName; text: string }

/** The answer. */
export type Outcome = Pick<SoldState, 'plan' | 'expiryDate' | 'role'> & {
  username: string
  /** Whether the account can be used afterwards, and if not, why. */
  state: Standing
  /** What the sold time costs by the list. Null: nothing, or there is no price in this currency. */
  price: Money | null
  /** The price, and what the days that are left gain by a better plan. A helper's amount limits it. */
  worth: Money | null
  paid: Money | null
  surprises: Surprise[]
}

type World = { plans: Plans; now: string; timeZone: string }

/** Returns what will be so after a sale. */
export function outcomeOf(sale: Sale, world: World): Outcome {
  const { username, after, paid } = sale
  const { plan, expiryDate, role } = after
  const currency = paid?.currency ?? 'PKR'
  const price = listPrice(pricedAs(sale), { ...world, now: sale.late?.at ?? world.now }, currency)
  const gain = gainOfDaysLeft(sale, world, currency)
  const money = (amount: number | null) => (amount === null ? null : { amount, currency })
  const facts = {
    username,
    plan,
    expiryDate,
    role,
    state: stateOf(after, world.now),
    price: money(price),
    worth: money(price === null ? null : price + Math.max(0, gain)),
    paid: paid && money(paid.amount ?? price),
  }
  return { ...facts, surprises: surprisesOf(sale, world, facts) }
}

/** Returns what a sale is priced by: of a late payment the ends when it was sold. */
export function pricedAs({ before, after, days: sold, late }: Sale): Priced {
  if (!late) return { before, after, days: sold }
  const ends = { expiryDate: late.to }
  return { before: before && { ...before, ...ends }, after: { ...after, ...ends }, days: sold }
}

const stateOf = ({ isActive, plan, expiryDate }: SoldState, now: string): Standing =>
  standing(
    { isActive, plan, expiryDate: expiryDate === null ? null : new Date(expiryDate) },
    new Date(now),
  )

/** The days that an account without an end pays for. */
const MONTH_DAYS = 30

export type PaidTime = { from: string; to: string | null }
type Ends = {
  before: Pick<SoldState, 'expiryDate'> | null
  after: Pick<SoldState, 'expiryDate'>
  days?: number | null
}

/** Returns the time that is sold: what is added, or what is left if the end stays. */
export function paidTime({ before, after, days: sold = null }: Ends, now: string): PaidTime {
  const to = after.expiryDate
  if (sold !== null && to !== null) {
    return { from: new Date(Date.parse(to) - days(sold)).toISOString(), to }
  }
  const old = before?.expiryDate ?? null
  const isAdded = old !== null && old > now && to !== null && to > old
  return { from: isAdded ? old : now, to }
}

const daysOf = ({ from, to }: PaidTime): number =>
  to === null ? MONTH_DAYS : Math.round((Date.parse(to) - Date.parse(from)) / days(1))

type Priced = Ends & {
  before: Pick<SoldState, 'plan' | 'expiryDate'> | null
  after: Pick<SoldState, 'plan' | 'expiryDate'>
}

/**
 * Returns the price of the time that is sold, in minor units; of an upgrade until the same end only what
 * the better plan costs more. Null if that is nothing, or in a currency without prices.
 */
export function listPrice(
  { before, after, ...sold }: Priced,
  { plans, now }: Pick<World, 'plans' | 'now'>,
  currency: string,
): number | null {
  const { plan } = after
  if (plan === null || !isCurrency(currency)) return null
  const isSameTime = before !== null && before.expiryDate === after.expiryDate && !sold.days
  const instead = isSameTime && before.plan !== plan ? before.plan : null
  const time = paidTime({ before, after, ...sold }, now)
  return priceFor({ plans, plan, days: daysOf(time), instead }, currency)
}

/** The days of another plan that are left, and are not what is sold. */
function daysOfOtherPlan({ before, after }: Priced, now: string): number {
  if (!before?.plan || after.plan === null || before.plan === after.plan) return 0
  const end = before.expiryDate
  return Math.max(0, daysLeft(end === null ? null : new Date(end), new Date(now)) ?? 0)
}

/** What the days left gain by becoming days of a better plan, without being sold. */
function gainOfDaysLeft(sale: Sale, { plans, now }: World, currency: string): number {
  const left = sale.days === null ? 0 : daysOfOtherPlan(sale, now)
  const [plan, instead] = [sale.after.plan, sale.before?.plan ?? null]
  if (left === 0 || plan === null || !isCurrency(currency)) return 0
  return priceFor({ plans, plan, days: left, instead }, currency) ?? 0
}

function surprisesOf(
  sale: Sale,
  world: World,
  { state, price, paid }: Pick<Outcome, 'state' | 'price' | 'paid'>,
): Surprise[] {
  const { before, after, trashed, undone } = sale
  const { timeZone, now } = world
  const said: Partial<Record<SurpriseName, string>> = {}
  if (before && before.role !== 'user') said.role = `This is the account of ${ROLES[before.role]}.`
  if (trashed) said.trash = trashText(trashed, timeZone)
  // Who disables an account in the same step knows it.
  if (state === 'disabled' && before?.isActive === false && undone === undefined)
    said.disabled = 'The account is disabled: its user cannot sign in.'
  // Who undoes a change expects what was so before it, but not that the time has passed.
  const wasEnded = undone !== undefined && isEnded(after, undone)
  if (after.expiryDate !== null && isEnded(after, now) && !wasEnded)
    said.expired = `It is ${undone === undefined ? 'still ' : ''}expired afterwards, since ${shortDay(after.expiryDate, timeZone)}.`
  const plan = planText(sale, world, price)
  if (plan !== null) said.plan = plan
  const lost = lostText(sale, world)
  if (lost !== null) said.days = lost
  if (paid && price && paid.amount < price.amount)
    said.price = `${moneyText(paid)} is below the price, ${moneyText(price)}.`
  if (sale.takesReward) said.reward = 'The reward of a referral is taken back.'
  return SURPRISES.flatMap((name) => {
    const text = said[name]
    return text === undefined ? [] : [{ name, text }]
  })
}

const ROLES: Record<Exclude<UserRole, 'user'>, string> = {
  admin: 'an administrator',
  editor: 'an editor',
}

const isEnded = (account: SoldState, now: string) =>
  stateOf({ ...account, isActive: true, plan: account.plan ?? 'Starter' }, now) === 'expired'

/**
 * Says what becomes of the days of another plan: always of a better one, and of any other unless the
 * price is that of just this, or nobody pays.
 */
function planText(sale: Sale, world: World, price: Money | null): string | null {
  const { before, after, paid } = sale
  if (
    sale.undone !== undefined ||
    !before?.plan ||
    after.plan === null ||
    before.plan === after.plan
  )
    return null
  const isWorse = world.plans[after.plan].rupees < world.plans[before.plan].rupees
  if (isWorse && before.expiryDate === null)
    return `${before.plan} without an end becomes ${after.plan}.`
  const left = daysOfOtherPlan(sale, world.now)
  const isUpgrade = !isWorse && sale.days === null && (price !== null || paid === null)
  if (left === 0 || isUpgrade) return null
  const currency = paid?.currency ?? 'PKR'
  const gain = gainOfDaysLeft(sale, world, currency)
  const cost = gain > 0 ? `, which would cost ${moneyText({ amount: gain, currency })}` : ''
  return `The ${plural(left, 'day')} of ${before.plan} that ${left === 1 ? 'is' : 'are'} left become ${after.plan}${cost}.`
}

/** Says how many of the days that were left are lost, beyond those that are sold. */
function lostText({ before, after, days: sold, undone }: Sale, world: World): string | null {
  const end = after.expiryDate
  if (undone !== undefined || !before || end === null || before.expiryDate === end) return null
  const ends = `${shortDay(end, world.timeZone)}.`
  if (before.expiryDate === null)
    return before.plan === null ? null : `It has no end now, and ends on ${ends}`
  const had = Math.max(0, Date.parse(before.expiryDate) - Date.parse(world.now))
  const due = Date.parse(world.now) + had + days(sold ?? 0)
  const [left, lost] = [had, Math.min(had, due - Date.parse(end))].map((ms) =>
    Math.round(ms / days(1)),
  )
  if (left === undefined || lost === undefined || lost < 1) return null
  const which =
    lost === left ? `The ${plural(left, 'day')}` : `${lost} of the ${plural(left, 'day')}`
  return `${which} left ${lost === 1 ? 'is' : 'are'} lost: it ends on ${ends}`
}

const trashText = ({ plan, expiryDate, goneAt }: Trashed, timeZone: string): string => {
  const end = expiryDate === null ? 'without an end' : `until ${shortDay(expiryDate, timeZone)}`
  return `A deleted user has this number: ${plan ?? 'no plan'}, ${end}. On ${shortDay(goneAt, timeZone)} that account and its videos are gone for good.`
}

/** Says what an account has: Business until 28 Dec 2026; also when it cannot be used. */
export function endText(
  { plan, expiryDate, state }: Pick<Outcome, 'plan' | 'expiryDate' | 'state'>,
  timeZone: string,
): string {
  const name = plan ?? 'No plan'
  const end = expiryDate === null ? 'without an end' : `until ${shortDay(expiryDate, timeZone)}`
  if (state === 'expired' && expiryDate !== null)
    return `${name}, still expired since ${shortDay(expiryDate, timeZone)}`
  return state === 'disabled' ? `${name} ${end}, still disabled` : `${name} ${end}`
}

/** An account as it is stored now, for the message after a change. */
type Stored = Pick<SoldState, 'plan' | 'expiryDate' | 'isActive'> & {
  username: string
  daysLeft: number | null
}

/** Returns whether a stored account can be used, and if not, why. */
export function storedState({ isActive, plan, daysLeft: left }: Stored): Standing {
  if (!isActive) return 'disabled'
  if (plan === null) return 'no-plan'
  return left !== null && left < 0 ? 'expired' : 'ok'
}

/** Says what an account has now: 923001234567: Business until 28 Dec 2026. */
export const storedText = (account: Stored, timeZone: string): string =>
  `${account.username}: ${endText({ ...account, state: storedState(account) }, timeZone)}.`

/**
 * The surprises of several accounts, each text once with those whom it is about. `count`: of how many
 * accounts these are some.
 */
export function surprisesOfAll(
  outcomes: readonly Outcome[],
  count: number = outcomes.length,
): Surprise[] {
  return SURPRISES.flatMap((name) => {
    const byText = new Map<string, string[]>()
    for (const { username, surprises } of outcomes)
      for (const one of surprises)
        if (one.name === name) byText.set(one.text, [...(byText.get(one.text) ?? []), username])
    const texts = [...byText]
    if (count === 1) return texts.map(([text]) => ({ name, text }))
    const said = texts.slice(0, TEXTS).map(([text, users]) => `${text} ${usersText(users)}`)
    const rest = texts.slice(TEXTS).flatMap(([, users]) => users)
    if (rest.length > 0) said.push(`The like is so of ${plural(rest.length, 'more user')}.`)
    return said.map((text) => ({ name, text }))
  })
}

function usersText(users: readonly string[]): string {
  const rest = users.length > NAMED ? `, and ${users.length - NAMED} more` : ''
  return `${plural(users.length, 'user')}: ${users.slice(0, NAMED).join(', ')}${rest}.`
}

/** Returns the names of what surprised about sales and was ticked, for the log. Null: nothing did. */
export function seenText(outcomes: readonly Outcome[]): string | null {
  const names = new Set(surprisesOfAll(outcomes).map(({ name }) => name))
  return names.size === 0 ? null : [...names].join(', ')
}

const NAMED = 5
const TEXTS = 4
