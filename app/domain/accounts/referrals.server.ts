import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import { readSetting } from '../business/settings.server'
import type { UserCtx, VisitorCtx } from '../context'
import { thisMonth } from '../days.server'
import type { Brought, ReferralState } from './referrals'

/**
 * Returns who has invited a visitor, or null: nobody, the referral is off, the inviter is no active customer,
 * or somebody has signed in with this browser before. Then it is not a new person.
 */
export async function inviterOf({
  db,
  actor: { invitedBy = null, device },
}: Pick<VisitorCtx, 'db' | 'actor'>): Promise<string | null> {
  if (invitedBy === null || !isId(invitedBy) || device !== null) return null
  if ((await readSetting(db, 'referral')) === null) return null
  const inviter = await db.row(sql`
    select 1 from users where id = ${invitedBy} and role = 'user' and is_active and deleted_at is null`)
  return inviter ? invitedBy : null
}

/** Builds the statement that notes for the new account of `from` who has invited it. */
export const noteInvited = (inviterId: string | null, from: Sql): Sql => sql`
  insert into referrals (invited_id, inviter_id, registered_at)
  select id, ${inviterId}::uuid, engine_now() from ${from} where ${inviterId}::uuid is not null`

/** Builds the condition for a reward that an inviter got in this month. */
export const rewardedThisMonth = (inviterId: string, timeZone: string): Sql => sql`
  inviter_id = ${inviterId} and state = 'given' and decided_at >= ${thisMonth(timeZone)}`

/** Returns what the user's invite link has brought. */
export async function readBrought({ db, actor, settings }: UserCtx): Promise<Brought> {
  const rows = await db.rows<{
    state: ReferralState
    count: number
    days: number
    videos: number
  }>(sql`
    select state, count(*)::int as count, sum(days)::int as days, sum(videos)::int as videos
    from referrals where inviter_id = ${actor.id} group by state`)
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from referrals where ${rewardedThisMonth(actor.id, settings.timeZone)}`)
  const given = rows.find(({ state }) => state === 'given')
  return {
    counts: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    thisMonth: count,
    days: given?.days ?? 0,
    videos: given?.videos ?? 0,
  }
}

/** Who invited a customer, and what came of it, as administrators see it. */
export type InvitedBy = {
  id: string
  username: string | null
  state: ReferralState
  changeId: string | null
}

/** Returns who invited a customer and how many accounts were opened with the customer's own link. */
export async function readReferralsOf(
  db: Executor,
  id: string,
): Promise<{ by: InvitedBy | null; invited: number; rewarded: number }> {
  const by = await db.row<InvitedBy>(sql`
    select inviter_id as id, username, state, change_id as "changeId"
    from referrals left join users on users.id = inviter_id and deleted_at is null where invited_id = ${id}`)
  const counts = await db.one<{ invited: number; rewarded: number }>(sql`
    select count(*)::int as invited, count(*) filter (where state = 'given')::int as rewarded
    from referrals where inviter_id = ${id}`)
  return { by: by ?? null, ...counts }
}
