import sql, { empty, type Sql } from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import { unitsOfClip } from '../../accounts/columns.server'
import { rewardedThisMonth } from '../../accounts/referrals.server'
import type { ReferralState } from '../../accounts/referrals'
import { getPlans, readSetting } from '../../business/settings.server'
import { rewardText, type Referral } from '../../business/types'
import { databaseNow } from '../../clock.server'
import type { AdminCtx } from '../../context'
import { today } from '../../days.server'
import { recordPayments, type NewPayment } from '../../payments/book.server'
import { IS_PAID } from '../../payments/list.server'
import { priceFor, priceOf, unitOf } from '../../payments/money'
import type { Plans } from '../../plans/types'
import { paidTime, storedState } from '../outcome'
import type { ManagedUser } from '../types'
import { lockUsers } from '../users/stop-users.server'
import { getManagedUser } from '../users/users-query.server'
import { laterEnd, type BulkLine } from './bulk-rules'
import { note, storeChange, writeFacts } from './store-change.server'

type Invitation = { invitedId: string; inviterId: string; username: string; isSamePerson: boolean }

/**
 * Gives what a referral brings, in the transaction that confirms a payment: to those of this change for whom it
 * is the first one, and to who invited them. It is a change of its own, which can be undone, with entries in
 * the book and the log.
 */
export async function rewardReferrals(ctx: AdminCtx, tx: Tx, changeId: string): Promise<void> {
  const invitations = await tx.rows<Invitation>(sql`
    select invited_id as "invitedId", inviter_id as "inviterId", username,
      exists (select 1 from payments as other
        where other.username = paid.username and other.change_id is distinct from ${changeId}
          and other.state in ('confirmed', 'refunded') and other.amount > 0)
      or exists (select 1 from known_devices as theirs join known_devices as own using (device_id)
        where theirs.user_id = invited_id and own.user_id = inviter_id) as "isSamePerson"
    from payments as paid join referrals on invited_id = paid.user_id
    where paid.change_id = ${changeId} and paid.state = 'confirmed' and paid.amount > 0 and ${IS_PAID}
      and referrals.state = 'waiting'
    order by invited_id`)
  if (invitations.length === 0) return
  const terms = await readSetting(tx, 'referral')
  const plans = await getPlans(tx)
  for (const invitation of invitations) {
    const { invitedId } = invitation
    const { state, rewardId, inviter } = await decide(ctx, tx, { invitation, terms, plans })
    await tx.run(sql`
      update referrals set state = ${state}, decided_at = engine_now(), paid_change_id = ${changeId},
        change_id = ${rewardId}, days = ${inviter.days}, videos = ${inviter.videos}
      where invited_id = ${invitedId}`)
  }
}

type Given = { days: number; videos: number }
type Decided = { state: ReferralState; rewardId: string | null; inviter: Given }
const NOTHING: Given = { days: 0, videos: 0 }

async function decide(
  ctx: AdminCtx,
  tx: Tx,
  { invitation, terms, plans }: { invitation: Invitation; terms: Referral | null; plans: Plans },
): Promise<Decided> {
  const { invitedId, inviterId, isSamePerson } = invitation
  if (terms === null) return { state: 'off', rewardId: null, inviter: NOTHING }
  if (isSamePerson) return { state: 'same-person', rewardId: null, inviter: NOTHING }
  // Of two payments at once for what one person has invited, the second one waits here.
  const there = await lockUsers(tx, sql`id = any(${[invitedId, inviterId]}::uuid[])`)
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from referrals
    where ${rewardedThisMonth(inviterId, ctx.settings.timeZone)}`)
  const isCapped = count >= terms.perMonth
  const users = await Promise.all(
    there
      .filter((id) => id === invitedId || !isCapped)
      .map((id) => rewardFor(ctx, tx, { id, terms, plans })),
  )
  const rewards = users.filter((reward) => reward !== null)
  const isGiven = rewards.some(({ line }) => line.id === inviterId)
  const rewardId = rewards.length === 0 ? null : await give(ctx, tx, { rewards, invitation, terms })
  if (!isGiven) return { state: isCapped ? 'cap' : 'unable', rewardId, inviter: NOTHING }
  return { state: 'given', rewardId, inviter: { ...NOTHING, [terms.unit]: terms.amount } }
}

type Reward = { line: BulkLine; payment: NewPayment }

/** Returns what one of the two gets. Null: the account is no customer's, cannot be used, or has no end. */
async function rewardFor(
  ctx: AdminCtx,
  tx: Tx,
  { id, terms, plans }: { id: string; terms: Referral; plans: Plans },
): Promise<Reward | null> {
  const user = await getManagedUser(ctx, tx, id)
  const now = await databaseNow(tx)
  const line =
    terms.unit === 'days'
      ? daysFor(user, terms.amount, now)
      : await videosFor(ctx, tx, { user, terms })
  if (line === null || user.plan === null) return null
  const { username, plan } = user
  const sold = terms.unit === 'days' ? terms.amount : null
  const time = paidTime(
    {
      before: { expiryDate: user.expiryDate },
      after: { expiryDate: line.after.expiryDate ?? null },
      days: sold,
    },
    now.toISOString(),
  )
  const price = costOf(user, terms, plans)
  const payment = { userId: id, username, plan, amount: 0, price, currency: 'PKR', ...time }
  return { line, payment }
}

function daysFor(user: ManagedUser, more: number, now: Date): BulkLine | null {
  const { id, username, role, isActive, plan, expiryDate } = user
  if (role !== 'user' || !isActive || plan === null || expiryDate === null) return null
  return { id, username, before: { expiryDate }, after: { expiryDate: laterEnd(user, now, more) } }
}

async function videosFor(
  { settings }: AdminCtx,
  tx: Tx,
  { user, terms }: { user: ManagedUser; terms: Referral },
): Promise<BulkLine | null> {
  const { id, username, role } = user
  if (role !== 'user' || storedState(user) !== 'ok') return null
  const { gifted, each } = await tx.one<{ gifted: number; each: number }>(sql`
    select coalesce(gifted, 0) as gifted, ${unitsOfClip(sql`users.clip_units`)} as each from users
    left join quota_days on user_id = id and day = ${today(settings.timeZone)} where id = ${id}`)
  return { id, username, before: { gifted }, after: { gifted: gifted + terms.amount * each } }
}

/** Returns what a reward costs by the list, in minor units of PKR. Null: nothing. */
function costOf(user: ManagedUser, { unit, amount }: Referral, plans: Plans): number | null {
  if (user.plan === null) return null
  if (unit === 'days')
    return priceFor({ plans, plan: user.plan, days: amount, instead: null }, 'PKR')
  const { videosPerDay } = plans[user.plan]
  const rupees =
    ((priceOf(plans[user.plan], 'PKR') ?? 0) * amount) / (30 * Math.max(1, videosPerDay))
  return Math.round(rupees / unitOf('PKR')) * unitOf('PKR') || null
}

type Giving = { rewards: readonly Reward[]; invitation: Invitation; terms: Referral }

async function give(
  ctx: AdminCtx,
  tx: Tx,
  { rewards, invitation, terms }: Giving,
): Promise<string> {
  const lines = rewards.map(({ line }) => line)
  const changeId = await storeChange(ctx, tx, { kind: 'refer', lines })
  await writeFacts(ctx, tx, lines)
  await note(ctx, tx, { action: 'user.refer', lines })
  await recordPayments(ctx, tx, {
    changeId,
    method: 'referral',
    reference: null,
    isRepeatSeen: false,
    seen: null,
    sold: { note: `${rewardText(terms)} for inviting ${invitation.username}`, at: null },
    payments: rewards.map(({ payment }) => payment),
  })
  return changeId
}

/** Returns what confirming the first payment of an account brings besides, as a sentence. Null: nothing. */
export async function foreseeReward(db: Executor, userId: string): Promise<string | null> {
  const terms = await readSetting(db, 'referral')
  const by = await db.row<{ username: string | null }>(sql`
    select username from referrals left join users on users.id = inviter_id and deleted_at is null
    where invited_id = ${userId} and state = 'waiting'`)
  if (!terms || !by) return null
  const inviter = by.username ?? 'an account that is deleted'
  return `The first payment of somebody invited by ${inviter}: the referral brings each ${rewardText(terms)}, within its cap.`
}

/** Returns the rewards that the payments of a change have brought, the last one first. */
export const rewardsOf = (
  db: Executor,
  changeId: string,
  lock: Sql = empty,
): Promise<{ id: string; isUndone: boolean }[]> =>
  db.rows<{ id: string; isUndone: boolean }>(sql`
    select id, undone_at is not null as "isUndone" from bulk_changes
    where id in (select change_id from referrals where paid_change_id = ${changeId})
    order by id desc ${lock}`)

/**
 * Notes for these users of a change that it was undone: a reward stays undone, unless the payment that brought
 * it is undone as well. Then the next first payment decides again.
 */
export async function noteUndone(tx: Tx, changeId: string, ids: readonly string[]): Promise<void> {
  const restored = sql`any(${[...ids]}::uuid[])`
  await tx.run(sql`
    update referrals set state = 'undone', days = 0, videos = 0
    where change_id = ${changeId} and state = 'given' and inviter_id = ${restored}`)
  await tx.run(sql`
    update referrals set state = 'waiting', decided_at = null, paid_change_id = null, change_id = null
    where paid_change_id = ${changeId} and invited_id = ${restored} and state <> 'given'
      and not exists (select 1 from payments
        where payments.change_id = referrals.change_id and payments.state = 'confirmed')`)
}
