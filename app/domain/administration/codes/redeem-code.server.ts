import sql from 'sql-template-tag'
import { plural } from '~/lib/figures'
import { newId } from '~/lib/ids'
import { networkOf } from '~/lib/network.server'
import { days, shortDay } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import { provenColumns } from '../../accounts/columns.server'
import { hashNewPassword } from '../../accounts/new-password.server'
import { inviterOf, noteInvited } from '../../accounts/referrals.server'
import { numberTaken, takeRegistration } from '../../accounts/register.server'
import { daysLeft } from '../../accounts/rules'
import type { RegisterInput } from '../../accounts/schemas'
import { accountDisabled } from '../../accounts/standing.server'
import { giveTriesBack, orGiveTriesBack, takeTries, WRONG_CODES } from '../../accounts/tries.server'
import type { Try } from '../../accounts/tries.server'
import type { ProvenAccount } from '../../accounts/types'
import { logAccess } from '../../activity/write.server'
import { getPlans } from '../../business/settings.server'
import { databaseNow } from '../../clock.server'
import type { AdminCtx, Ctx, VisitorCtx } from '../../context'
import { AppError, isAppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import type { PaidTerms } from '../../payments/schemas'
import type { PlanName, Plans } from '../../plans/types'
import { laterEnd } from '../changes/bulk-rules'
import { recordPaid, type Paying } from '../changes/paid-change.server'
import { sellPlan } from '../changes/sell-plan.server'
import { actByCode } from '../helpers/act-for.server'
import type { Outcome, SoldState } from '../outcome'
import { requireSeen } from '../outcome.server'
import { nameForms } from '../../names/name-forms.server'
import { USER_EXISTS } from '../rules'
import { ALL_SEEN } from '../ticks'
import type { ManagedUser } from '../types'
import { addAccount, keepNewAccount, soldAccount, soldNew } from '../users/create-user.server'
import { lockPayers } from '../users/stop-users.server'
import { getManagedUser } from '../users/users-query.server'
import { readCode } from './code-text'
import { hashOfCode } from './make-codes.server'

type Code = Pick<PaidTerms, 'currency'> & {
  id: string
  number: number
  plan: PlanName
  days: number
  amount: number
  soldTo: string | null
  /** When it was made, if its amount is income of that day. */
  soldAt: string | null
}

type Redeeming = {
  holder: { id: string; username: string }
  address: string
  typed: string
  /** What the holder was told of the days that are left. */
  seen: string | null
}

/**
 * Gives an account what a prepaid code is for, with its payment, in one change that can be undone; the
 * code stays used. Throws BAD_INPUT for a mistyped code, NOT_FOUND for one that does not exist,
 * RATE_LIMITED after many of these, ACCOUNT_DISABLED, and CONFLICT if the code was used, blocked or has
 * ended, if the account is no customer's or has no end, or, at `seen`, with what becomes of the days of
 * another plan.
 */
export async function redeemCode(
  ctx: Ctx,
  { holder, address, typed, seen }: Redeeming,
): Promise<ManagedUser> {
  const hash = await findHash(ctx, { typed, tries: triesOf(ctx, address, holder.id) })
  const admin = actByCode(ctx, holder)
  return ctx.db.transaction(async (tx) => {
    await lockPayers(tx, sql`id = ${holder.id}`)
    const code = await lockCode(admin, tx, hash)
    const user = await getManagedUser(admin, tx, holder.id)
    refuseAccount(user)
    const plans = await getPlans(tx)
    const now = await databaseNow(tx)
    const left = daysLeftOf(user, code, { plans, now })
    if (left.text !== null && left.text !== seen)
      throw new AppError('CONFLICT', left.text, { fields: { seen: [left.text] } })
    const after = {
      role: user.role,
      isActive: true,
      plan: code.plan,
      expiryDate: laterEnd({ ...user, expiryDate: left.end }, now, code.days),
    }
    const sale = { username: user.username, before: user, after, trashed: null, days: code.days }
    const paid = paidBy(code)
    const seller = { ticks: ALL_SEEN }
    const outcomes = await requireSeen(admin, tx, { sales: [{ ...sale, paid }], seller })
    const plan = plans[code.plan]
    const kind = { kind: 'add-days', action: 'user.redeem' } as const
    const { changeId, sold } = await sellPlan(admin, tx, { user, sale, plan, ...kind })
    await useCode(admin, tx, { code, changeId, sold, outcomes })
    return getManagedUser(admin, tx, user.id)
  })
}

/**
 * Creates an account with what a prepaid code is for, in one transaction. Throws like `register` and
 * `redeemCode`: then there is no account, and the code is not used.
 */
export async function registerWithCode(
  ctx: VisitorCtx,
  { phone, password, typed }: RegisterInput & { typed: string },
): Promise<ProvenAccount> {
  const { address } = ctx.actor
  const hash = await findHash(ctx, { typed, tries: triesOf(ctx, address, null) })
  await takeRegistration(ctx)
  const passwordHash = await hashNewPassword(ctx, { password, username: phone })
  const inviterId = await inviterOf(ctx)
  const { stored: username } = nameForms(phone, ctx.settings.phoneCountries)
  const admin = actByCode(ctx, { id: newId(), username })
  const account = await ctx.db
    .transaction(async (tx) => {
      const code = await lockCode(admin, tx, hash)
      const plans = await getPlans(tx)
      const given = { ...soldAccount(phone, plans[code.plan], code.days), id: admin.actor.id }
      const user = await addAccount(admin, tx, { action: 'user.redeem', ...given, passwordHash })
      const sold = { ...soldNew(user), days: code.days }
      const sales = [{ ...sold, trashed: null, paid: paidBy(code) }]
      const outcomes = await requireSeen(admin, tx, { sales, seller: { ticks: ALL_SEEN } })
      const changeId = await keepNewAccount(admin, tx, user)
      await tx.run(noteInvited(inviterId, sql`(select ${user.id}::uuid as id) as made`))
      await useCode(admin, tx, { code, changeId, sold, outcomes })
      return tx.one<ProvenAccount>(sql`select ${provenColumns} from users where id = ${user.id}`)
    })
    .catch((error: unknown) => {
      throw isAppError(error) && error.message === USER_EXISTS ? numberTaken() : error
    })
  await logAccess(ctx.db, { action: 'auth.register', user: account, isUser: true, address })
  return account
}

/** Returns the throttles for codes that do not exist. */
const triesOf = ({ throttles }: Ctx, address: string, userId: string | null): Try[] => [
  ...(userId === null ? [] : [[throttles.redeemByUser, userId] as const]),
  [throttles.redeemByNetwork, networkOf(address).network || 'unknown'],
]

/**
 * Returns the hash of a typed code that exists. A mistyped one is no guess: it is not looked up. Who
 * types one that was made has not guessed either, whatever its state.
 */
async function findHash(
  { db }: Ctx,
  { typed, tries }: { typed: string; tries: readonly Try[] },
): Promise<Buffer> {
  const code = readCode(typed)
  if (code === null) throw refused('BAD_INPUT', 'A character of this code is wrong or missing')
  await takeTries(tries, WRONG_CODES)
  const hash = hashOfCode(code)
  const found = await orGiveTriesBack(tries, () =>
    db.row(sql`select 1 from prepaid_codes where hash = ${hash}`),
  )
  if (!found) throw refused('NOT_FOUND', 'There is no such code')
  await giveTriesBack(tries)
  return hash
}

const refused = (code: 'BAD_INPUT' | 'NOT_FOUND' | 'CONFLICT', message: string) =>
  new AppError(code, message, { fields: { prepaidCode: [message] } })

/** Locks a code that can be used. Of several who use it at once, the others wait here, and find it used. */
async function lockCode({ settings, actor }: AdminCtx, tx: Tx, hash: Buffer): Promise<Code> {
  const code = await tx.row<Code>(sql`
    select id, number, plan, days, amount, currency, sold_to as "soldTo",
      case when counts_sold then ${isoText(sql`made_at`)} end as "soldAt"
    from prepaid_codes where hash = ${hash} and state = 'open' and ends_at > engine_now() for update`)
  if (code) return code
  // Whoever presses twice to open an account has none yet when the second press is read.
  const { state, endsAt, isOwn } = await tx.one<{
    state: string
    endsAt: string
    isOwn: boolean
  }>(sql`
    select state, ${isoText(sql`ends_at`)} as "endsAt", exists (select from payments
      where payments.change_id = prepaid_codes.change_id
        and (user_id = ${actor.id} or username = ${actor.username})) as "isOwn"
    from prepaid_codes where hash = ${hash}`)
  if (state === 'blocked')
    throw refused('CONFLICT', 'This code is blocked. Ask the person who sold it.')
  if (state === 'open')
    throw refused('CONFLICT', `This code ended on ${shortDay(endsAt, settings.timeZone)}.`)
  throw refused('CONFLICT', isOwn ? 'You have used this code already.' : 'This code has been used.')
}

/** Refuses an account that a code is not for. It stays unused. */
function refuseAccount({ isActive, role, plan, expiryDate }: SoldState): void {
  if (!isActive) throw accountDisabled()
  if (role !== 'user')
    throw refused(
      'CONFLICT',
      'Codes are for customers. This account has a role, and keeps its plan.',
    )
  if (plan !== null && expiryDate === null)
    throw refused('CONFLICT', 'Your account has no end: a code would add nothing to it.')
}

type World = { plans: Plans; now: Date }
const PRICES = ['rupees', 'dollars'] as const

/**
 * Returns until when the days that are left last beside a code, and what is said of them before. Days of
 * another plan become as many of the code's as they are worth by the prices, whole ones: a cheap plan
 * does not become a dear one, nor is a dear one lost. An operator may have prices in one currency only.
 */
export function daysLeftOf(
  { plan: own, expiryDate }: Pick<ManagedUser, 'plan' | 'expiryDate'>,
  { plan }: Pick<Code, 'plan'>,
  { plans, now }: World,
): { end: string | null; text: string | null } {
  const left = daysLeft(expiryDate === null ? null : new Date(expiryDate), now) ?? 0
  if (own === null || own === plan || expiryDate === null || left < 1)
    return { end: expiryDate, text: null }
  const has = (name: PlanName) => (price: (typeof PRICES)[number]) => plans[name][price] > 0
  const both = PRICES.find((price) => has(own)(price) && has(plan)(price))
  const price = both ?? PRICES.find(has(plan))
  const worth = price === undefined ? 1 : plans[own][price] / plans[plan][price]
  const become = Math.floor(((Date.parse(expiryDate) - now.getTime()) * worth) / days(1))
  const what = become === 0 ? 'end' : `become ${plural(become, 'day')} of ${plan}`
  return {
    end: new Date(now.getTime() + days(become)).toISOString(),
    text: `Your plan becomes ${plan} now. The ${plural(left, 'day')} of ${own} that you have left ${what}, by their prices.`,
  }
}

const paidBy = ({ amount, currency, number, soldTo, soldAt }: Code): PaidTerms => ({
  amount,
  currency,
  method: 'code',
  reference: null,
  isRepeatSeen: false,
  sold: { note: `Code no. ${number}${soldTo === null ? '' : `, sold to ${soldTo}`}`, at: soldAt },
})

type Use = { code: Code; changeId: string; sold: Paying; outcomes: readonly Outcome[] }

/** Records the payment of a locked code, and that it was used for a change. */
async function useCode(
  ctx: AdminCtx,
  tx: Tx,
  { code, changeId, sold, outcomes }: Use,
): Promise<void> {
  await recordPaid(ctx, tx, { changeId, paid: paidBy(code), users: [sold], outcomes })
  await tx.run(sql`
    update prepaid_codes set state = 'used', changed_at = engine_now(), change_id = ${changeId}
    where id = ${code.id} and state = 'open'`)
}
