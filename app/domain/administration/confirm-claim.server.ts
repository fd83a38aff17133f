import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { days } from '~/lib/time'
import { findByName } from '../accounts/find-by-name.server'
import { generatePassword } from '../accounts/generated-password.server'
import { hashNewPassword } from '../accounts/new-password.server'
import { requireProof } from '../accounts/proof.server'
import { getPlans } from '../business/settings.server'
import { databaseNow } from '../clock.server'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import { nameForms } from '../names/name-forms.server'
import { lockPayment, markConfirmed, type Locked } from '../payments/decide.server'
import { findPayment, noSuchPayment } from '../payments/list.server'
import type { ConfirmInput } from '../payments/schemas'
import { RENEW_DAYS, renewedEnd } from './changes/bulk-rules'
import { addAccount, keepNewAccount, soldAccount, soldNew } from './users/create-user.server'
import { rewardReferrals } from './changes/reward-referral.server'
import { sellPlan } from './changes/sell-plan.server'
import { paidTime, seenText, type Outcome, type Sale, type SoldState } from './outcome'
import { findTrashed, foresee, requireSeen, UNTICKED, type Seller } from './outcome.server'
import { lockPayers } from './users/stop-users.server'
import type { ManagedUser } from './types'
import { restoreIn } from './users/user-trash.server'
import { findManagedUser, getManagedUser } from './users/users-query.server'

/** What a claim was confirmed for. A new account has a password, which is shown once. */
export type Confirmed = { user: ManagedUser; password: string | null; outcome: Outcome }

/** Returns the account that a claim is for, or null if there is none yet. */
export async function accountOf(
  ctx: AdminCtx,
  { username }: Pick<Locked, 'username'>,
): Promise<ManagedUser | null> {
  const { forms } = nameForms(username, ctx.settings.phoneCountries)
  const account = await findByName(ctx.db, forms)
  return findManagedUser(ctx, ctx.db, account?.id ?? null)
}

/** A renewal of the last days, which a claim may be about. */
export type RecentRenewal = { changeId: string; at: string; by: string; until: string | null }

/** For so many days a renewal is recent. */
const RECENT_DAYS = 7

/** Returns an account's last renewal by an administrator, if it was lately and was not undone. */
export async function recentRenewalOf(
  { db }: AdminCtx,
  userId: string,
): Promise<RecentRenewal | null> {
  const renewal = await db.row<RecentRenewal>(sql`
    select change_id as "changeId", ${isoText(sql`created_at`)} as at, actor_name as by, after->>'expiryDate' as until
    from bulk_changes join bulk_change_users on change_id = bulk_changes.id and user_id = ${userId}
    where kind in ('renew', 'add-days') and undone_at is null
      and created_at > engine_now() - make_interval(days => ${RECENT_DAYS}::int)
    order by created_at desc limit 1`)
  return renewal ?? null
}

/**
 * Confirms a claim, also one that was rejected: creates the account with the plan, or gives the plan to
 * the account, in one change that can be undone. `how` is for an account: `renew` adds 30 days to its
 * end, `upgrade` keeps the end. With the ticks a disabled account is enabled, and a deleted one
 * restored. Throws NOT_FOUND, PASSWORD_NEEDED, and CONFLICT if somebody else has decided it, another
 * payment has its reference or screenshot and that has not been seen, or something surprises that is not
 * ticked (`requireSeen`).
 */
export async function confirmClaim(
  ctx: AdminCtx,
  input: ConfirmInput,
  seller: Seller = UNTICKED,
): Promise<Confirmed> {
  const { isRestored } = seller.ticks
  requireProof(ctx, isRestored ? 'recent' : 'today')
  const claim = await findPayment(ctx.db, input.id)
  if (!claim) throw noSuchPayment()
  const known = await accountOf(ctx, claim)
  if (known || isRestored) {
    const renewed = await ctx.db.transaction(async (tx) => {
      const id = known?.id ?? (await restoreNamed(ctx, tx, claim.username))
      return renewFor(ctx, tx, { input, seller, id })
    })
    return { ...renewed, password: null }
  }
  const password = generatePassword()
  const passwordHash = await hashNewPassword(ctx, { password, username: claim.username })
  const made = await ctx.db.transaction((tx) => createFor(ctx, tx, { input, seller, passwordHash }))
  return { ...made, password }
}

/** Restores the deleted account of a number, and returns its id. Throws CONFLICT if there is none. */
async function restoreNamed(ctx: AdminCtx, tx: Tx, username: string): Promise<string> {
  const trashed = await findTrashed(ctx, tx, username)
  if (!trashed) throw new AppError('CONFLICT', 'The trash has no user with this number any more')
  await restoreIn(ctx, tx, trashed.id)
  return trashed.id
}

/** A claim that was rejected by mistake, or whose change was undone, can still be confirmed. */
async function lockClaim(tx: Tx, id: string): Promise<Locked> {
  const claim = await lockPayment(tx, id, ['claimed', 'rejected'])
  if (!claim.isClaim)
    throw new AppError('CONFLICT', 'Only what a customer reported can be confirmed')
  return claim
}

const RENEWAL = { kind: 'renew', action: 'user.renew' } as const
const UPGRADE = { kind: 'change-plan', action: 'user.change-plan' } as const

type Decided = { input: ConfirmInput; seller: Seller }

async function createFor(
  ctx: AdminCtx,
  tx: Tx,
  { input, seller, passwordHash }: Decided & { passwordHash: string },
) {
  const claim = await lockClaim(tx, input.id)
  const plans = await getPlans(tx)
  const trashed = await findTrashed(ctx, tx, claim.username)
  const account = { ...soldAccount(claim.username, plans[claim.plan]), passwordHash }
  const user = await addAccount(ctx, tx, { action: 'user.quick-create', ...account })
  const sale = { ...soldNew(user), trashed, paid: claim }
  const [outcome] = await requireSeen(ctx, tx, { sales: [sale], seller })
  const changeId = await keepNewAccount(ctx, tx, user)
  const time = paidTime(soldNew(user), (await databaseNow(tx)).toISOString())
  const { isRepeatSeen } = input
  const price = outcome?.price?.amount ?? null
  const seen = seenText(outcome ? [outcome] : [])
  await markConfirmed(ctx, tx, {
    claim,
    changeId,
    userId: user.id,
    isRepeatSeen,
    price,
    seen,
    ...time,
  })
  await rewardReferrals(ctx, tx, changeId)
  return { user: await getManagedUser(ctx, tx, user.id), outcome: one(outcome) }
}

async function renewFor(
  ctx: AdminCtx,
  tx: Tx,
  { input, seller, id }: Decided & { id: string },
): Promise<{ user: ManagedUser; outcome: Outcome }> {
  const claim = await lockClaim(tx, input.id)
  await lockPayers(tx, sql`id = ${id}`)
  const user = await getManagedUser(ctx, tx, id)
  if (user.role === 'admin') {
    throw new AppError('CONFLICT', 'This number is an administrator’s. Nothing was changed.')
  }
  const plans = await getPlans(tx)
  const now = await databaseNow(tx)
  const isUpgrade = input.how === 'upgrade'
  const isEnabled = seller.ticks.isEnabled && !user.isActive
  const sale = claimSale(user, { claim, how: input.how, isEnabled, now })
  const [outcome] = await requireSeen(ctx, tx, { sales: [sale], seller })
  const { changeId, sold } = await sellPlan(ctx, tx, {
    user,
    sale,
    plan: plans[claim.plan],
    ...(isUpgrade ? UPGRADE : RENEWAL),
  })
  const time = paidTime(sold, now.toISOString())
  const { isRepeatSeen } = input
  const price = outcome?.price?.amount ?? null
  const seen = seenText(outcome ? [outcome] : [])
  await markConfirmed(ctx, tx, { claim, changeId, userId: id, isRepeatSeen, price, seen, ...time })
  await rewardReferrals(ctx, tx, changeId)
  return { user: await getManagedUser(ctx, tx, id), outcome: one(outcome) }
}

function one(outcome: Outcome | undefined): Outcome {
  if (!outcome) throw new Error('A sale has an outcome')
  return outcome
}

/** A way to confirm a claim, with what will be so afterwards. */
export type ClaimWay = { how: ConfirmInput['how']; outcome: Outcome }

/**
 * Returns the ways to confirm a claim. What the product itself calculates stands first: a better plan
 * until the same end. `account` is the account that the claim is for.
 */
export async function foreseeClaim(
  ctx: AdminCtx,
  claim: Claimed['claim'] & { username: string },
  account: ManagedUser | null,
): Promise<ClaimWay[]> {
  const now = await databaseNow(ctx.db)
  const plans = await getPlans(ctx.db)
  const trashed = account ? null : await findTrashed(ctx, ctx.db, claim.username)
  if (!account) {
    const expiryDate = new Date(now.getTime() + days(RENEW_DAYS)).toISOString()
    const after = { role: 'user', isActive: true, plan: claim.plan, expiryDate } as const
    const { username } = claim
    const sale = { username, before: null, after, trashed, days: RENEW_DAYS, paid: claim }
    const [outcome] = await foresee(ctx, ctx.db, [sale])
    return [{ how: 'renew', outcome: one(outcome) }]
  }
  const isBetter =
    account.plan !== null &&
    account.plan !== claim.plan &&
    (account.daysLeft ?? 0) >= 1 &&
    plans[claim.plan].rupees > plans[account.plan].rupees
  const hows = isBetter ? (['upgrade', 'renew'] as const) : (['renew'] as const)
  const sales = hows.map((how) => claimSale(account, { claim, how, isEnabled: false, now }))
  const outcomes = await foresee(ctx, ctx.db, sales)
  return hows.map((how, i) => ({ how, outcome: one(outcomes[i]) }))
}

type Claimed = {
  claim: Pick<Locked, 'plan' | 'amount' | 'currency'>
  how: ConfirmInput['how']
  isEnabled: boolean
  now: Date
}

/** Returns what confirming a claim would make of an account. */
export function claimSale(
  user: SoldState & { username: string },
  { claim, how, isEnabled, now }: Claimed,
): Sale {
  const { username, expiryDate } = user
  const isUpgrade = how === 'upgrade'
  const after = {
    role: user.role,
    isActive: user.isActive || isEnabled,
    plan: claim.plan,
    expiryDate: isUpgrade ? expiryDate : renewedEnd(user, now),
  }
  const { amount, currency } = claim
  const sold = isUpgrade ? null : RENEW_DAYS
  return { username, before: user, after, trashed: null, days: sold, paid: { amount, currency } }
}
