import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { requireProof } from '../../accounts/proof.server'
import { endSessionsOf } from '../../accounts/sessions.server'
import type { ActivityFacts } from '../../activity/types'
import { logActivity } from '../../activity/write.server'
import { regenerateSelected } from '../../batches/regenerate-as-admin.server'
import type { AdminCtx, Ctx, HelperCtx } from '../../context'
import { today } from '../../days.server'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import type { HelperRightsInput } from './helper-schemas'
import { failedVideosOf } from './helper-videos.server'
import { summaryOf } from '../changes/sold-acts'
import { listActsBy } from '../changes/sold-acts.server'
import type { Helper, HelperAct, HelperRequest, HelperSales } from '../types'
import { noSuchUser } from '../users/users-query.server'

type Caps = Omit<Helper, 'id' | 'username'>

const NOTHING: Caps = {
  rights: [],
  confirmUpTo: null,
  confirmCurrency: null,
  codesUpTo: null,
  regeneratePerDay: 0,
}

const COLUMNS = sql`rights, confirm_up_to as "confirmUpTo", confirm_currency as "confirmCurrency",
  codes_up_to as "codesUpTo", regenerate_per_day as "regeneratePerDay"`

/**
 * Sets what an editor may do. Taking something away ends their sessions. Throws NOT_FOUND if there is
 * no such editor, and PASSWORD_NEEDED.
 */
export async function setHelperRights(ctx: AdminCtx, input: HelperRightsInput): Promise<string> {
  requireProof(ctx)
  const { id, confirmUpTo, codesUpTo, confirmCurrency, ...rest } = input
  if (!isId(id)) throw noSuchUser()
  const after: Caps = {
    ...rest,
    confirmUpTo: confirmUpTo === 0 ? null : confirmUpTo,
    codesUpTo: codesUpTo === 0 ? null : codesUpTo,
    confirmCurrency: confirmUpTo + codesUpTo === 0 ? null : confirmCurrency,
  }
  return ctx.db.transaction(async (tx) => {
    const user = await tx.row<{ username: string }>(sql`
      select username from users
      where id = ${id} and role = 'editor' and deleted_at is null for no key update`)
    if (!user) throw noSuchUser()
    const row = await tx.row<Caps>(sql`select ${COLUMNS} from helper_rights where user_id = ${id}`)
    const before = row ?? NOTHING
    await tx.run(sql`
      insert into helper_rights (user_id, rights, confirm_up_to, confirm_currency, codes_up_to,
        regenerate_per_day)
      values (${id}, ${[...after.rights]}::text[], ${after.confirmUpTo}, ${after.confirmCurrency},
        ${after.codesUpTo}, ${after.regeneratePerDay})
      on conflict (user_id) do update set rights = excluded.rights,
        confirm_up_to = excluded.confirm_up_to, confirm_currency = excluded.confirm_currency,
        codes_up_to = excluded.codes_up_to,
        regenerate_per_day = excluded.regenerate_per_day`)
    if (isLess(before, after)) await endSessionsOf(tx, id)
    await logActivity(tx, ctx, {
      action: 'user.rights',
      subject: { kind: 'user', id, name: user.username },
      before: facts(before),
      after: facts(after),
    })
    return user.username
  })
}

/** Returns whether something is taken away. */
const isLess = (before: Caps, after: Caps): boolean =>
  before.rights.some((right) => !after.rights.includes(right)) ||
  after.regeneratePerDay < before.regeneratePerDay ||
  (after.confirmUpTo ?? 0) < (before.confirmUpTo ?? 0) ||
  (after.codesUpTo ?? 0) < (before.codesUpTo ?? 0) ||
  (before.confirmCurrency !== null && after.confirmCurrency !== before.confirmCurrency)

const facts = ({ rights, ...rest }: Caps): ActivityFacts => ({ rights: rights.join(', '), ...rest })

/** Lists the editors with their rights, at most 100. */
export const listHelpers = ({ db }: AdminCtx): Promise<Helper[]> =>
  db.rows<Helper>(sql`
    select users.id, username, coalesce(rights, '{}') as rights, confirm_up_to as "confirmUpTo",
      confirm_currency as "confirmCurrency", codes_up_to as "codesUpTo", coalesce(regenerate_per_day, 0) as "regeneratePerDay"
    from users left join helper_rights on user_id = users.id
    where role = 'editor' and deleted_at is null
    order by rights is null, username limit 100`)

/** The actions that give a customer a plan or time. */
const SELLING = ['user.quick-create', 'user.renew', 'user.change-plan']
/** An act and its entry in the log are of one transaction, but of two clocks. */
const SAME_MS = 1000

/**
 * Lists what editors did today by their rights, the newest first, at most 200, with what each sold in a
 * line; or of one of them.
 */
export async function listHelperActs(
  { db, settings }: Ctx,
  helperId: string | null = null,
): Promise<{ acts: HelperAct[]; sales: HelperSales[] }> {
  const since = sql`${today(settings.timeZone)}::timestamp at time zone ${settings.timeZone}`
  const entries = await db.rows<
    Omit<HelperAct, 'sold'> & { actorId: string; subjectId: string | null }
  >(sql`
    select trail_entries.id, ${isoText(sql`at`)} as at, actor_name as "actorName", action,
      subject_name as "subjectName", count, actor_id as "actorId", subject_id as "subjectId"
    from trail_entries join users on users.id = actor_id and users.role = 'editor'
    where at >= ${since}
      and action not like 'auth.%' and (${helperId}::uuid is null or actor_id = ${helperId}::uuid)
    order by at desc, trail_entries.id desc limit 200`)
  const actorIds = [...new Set(entries.map(({ actorId }) => actorId))]
  const sold = await listActsBy(db, { actorIds, since })
  const acts = entries.map(({ actorId, subjectId, ...entry }) => {
    const isSame = (act: (typeof sold)[number]) =>
      act.userId === subjectId &&
      act.actorId === actorId &&
      Math.abs(Date.parse(act.at) - Date.parse(entry.at)) < SAME_MS
    return { ...entry, sold: SELLING.includes(entry.action) ? (sold.find(isSame) ?? null) : null }
  })
  const names = [...new Set(sold.map(({ by }) => by))]
  const sales = names.map((name) => ({
    name,
    text: summaryOf(sold.filter(({ by }) => by === name)),
  }))
  return { acts, sales }
}

/** Lists the requests that wait, and those decided today; or those of one helper. */
export const listRequests = (
  { db, settings }: Ctx,
  helperId: string | null = null,
): Promise<HelperRequest[]> =>
  db.rows<HelperRequest>(sql`
    select helper_requests.id, helper_name as "helperName", username as "customerName", count,
      ${isoText(sql`asked_at`)} as "askedAt", is_approved as "isApproved"
    from helper_requests join users on users.id = customer_id
    where (decided_at is null
        or decided_at >= ${today(settings.timeZone)}::timestamp at time zone ${settings.timeZone})
      and (${helperId}::uuid is null or helper_id = ${helperId}::uuid)
    order by decided_at is not null, asked_at desc limit 100`)

/**
 * Approves or declines a request. An approved one is carried out at once, as this administrator.
 * Throws NOT_FOUND if it was decided meanwhile, and BAD_INPUT if no failed video is left.
 */
export async function decideRequest(
  ctx: AdminCtx,
  { id, isApproved }: { id: string; isApproved: boolean },
): Promise<void> {
  const request = isId(id)
    ? await ctx.db.row<{ customerId: string; count: number; customerName: string }>(sql`
        select customer_id as "customerId", count, username as "customerName"
        from helper_requests join users on users.id = customer_id
        where helper_requests.id = ${id} and decided_at is null`)
    : undefined
  if (!request) throw decided()
  if (isApproved) {
    const ids = await failedVideosOf(ctx.db, request.customerId)
    // The request's id is the key, so that two who approve it at once order once.
    await regenerateSelected(ctx, ids.slice(0, request.count), `request ${id}`)
  }
  await ctx.db.transaction(async (tx) => {
    const changed = await tx.run(sql`
      update helper_requests set decided_at = engine_now(), is_approved = ${isApproved}
      where id = ${id} and decided_at is null`)
    if (changed === 0) throw decided()
    const subject = { kind: 'user', id: request.customerId, name: request.customerName } as const
    const action = isApproved ? 'helper.approve' : 'helper.decline'
    await logActivity(tx, ctx, { action, subject, count: request.count })
  })
}

const decided = () => new AppError('NOT_FOUND', 'This request has been decided')

/** Returns how many failed videos a helper may still regenerate today; administrators have no limit. */
export async function leftToday({ db, settings, actor }: HelperCtx): Promise<number> {
  if (actor.role === 'admin') return Number.MAX_SAFE_INTEGER
  const row = await db.row<{ left: number }>(sql`
    select greatest(0, regenerate_per_day
      - case when used_on = ${today(settings.timeZone)} then used else 0 end) as left
    from helper_rights where user_id = ${actor.id}`)
  return row?.left ?? 0
}
