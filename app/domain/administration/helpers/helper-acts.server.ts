import sql from 'sql-template-tag'
import { plural } from '~/lib/figures'
import { isId, newId } from '~/lib/ids'
import { findByName } from '../../accounts/find-by-name.server'
import { generatePassword } from '../../accounts/generated-password.server'
import { noteOnce } from '../../alarms/notices.server'
import { logActivity } from '../../activity/write.server'
import { regenerateSelected } from '../../batches/regenerate-as-admin.server'
import type { AdminCtx, HelperCtx, Right } from '../../context'
import { today } from '../../days.server'
import { AppError } from '../../errors'
import { nameForms } from '../../names/name-forms.server'
import { actFor } from './act-for.server'
import { applyBulkChange } from '../changes/bulk-change.server'
import { quickCreateUser } from '../users/create-user.server'
import { editUser } from '../users/edit-user.server'
import type { PaidTerms } from '../../payments/schemas'
import type { Ticks } from '../ticks'
import { mayOf } from './helper-claims.server'
import { failedVideosOf } from './helper-videos.server'
import { userFilterQuery } from '../users/list-schemas'
import type { QuickCreateInput } from '../schemas'
import type { ManagedUser, QuickUser } from '../types'
import { getManagedUser, noSuchUser } from '../users/users-query.server'

// What a helper does for a customer. Each needs its right, and none touches an account that is not a
// customer's: to a helper the others do not exist.

/** A customer as a helper sees them. */
export type Customer = Pick<
  ManagedUser,
  'id' | 'username' | 'plan' | 'expiryDate' | 'isActive' | 'videosGeneratedToday' | 'videoLimit'
> & { failed: number }

/** Finds a customer by the whole number or name, in all its spellings. Null: there is none. */
export async function findCustomer(ctx: HelperCtx, typed: string): Promise<Customer | null> {
  const found = await findByName(ctx.db, nameForms(typed, ctx.settings.phoneCountries).forms)
  if (found?.role !== 'user') return null
  const user = await getManagedUser(ctx, ctx.db, found.id)
  const failed = await failedVideosOf(ctx.db, user.id)
  return {
    id: user.id,
    username: user.username,
    plan: user.plan,
    expiryDate: user.expiryDate,
    isActive: user.isActive,
    videosGeneratedToday: user.videosGeneratedToday,
    videoLimit: user.videoLimit,
    failed: failed.length,
  }
}

async function act(ctx: HelperCtx, right: Right, id: string) {
  const admin = actFor(ctx, right)
  const user = isId(id) ? await getManagedUser(admin, admin.db, id) : null
  if (user?.role !== 'user') throw noSuchUser()
  return { admin, user }
}

/**
 * Creates a customer's account with a plan and a generated password, and records what was paid for it.
 * Throws like `quickCreateUser`, and FORBIDDEN if the helper may not confirm such a payment: then
 * nothing is created.
 */
export async function helperCreate(
  ctx: HelperCtx,
  input: QuickCreateInput,
  { paid, ticks }: HelperSale,
): Promise<QuickUser> {
  const admin = actFor(ctx, 'create')
  if (paid) actFor(ctx, 'payments')
  return quickCreateUser(admin, { ...input, seller: { ticks, may: mayOf(ctx) } }, paid)
}

type HelperSale = { paid: PaidTerms | null; ticks: Ticks }
type Renewal = HelperSale & { id: string; key: string | undefined }

/**
 * Renews a customer by a month, from the end or from today, and records what was paid for it. Throws
 * NOT_FOUND, and FORBIDDEN like `helperCreate`.
 */
export async function helperRenew(
  ctx: HelperCtx,
  { id, key, paid, ticks }: Renewal,
): Promise<{ admin: AdminCtx; user: ManagedUser }> {
  const { admin } = await act(ctx, 'renew', id)
  if (paid) actFor(ctx, 'payments')
  const target = { scope: 'chosen' as const, picked: [id], filters: userFilterQuery.parse({}) }
  await applyBulkChange(
    admin,
    { action: { kind: 'renew', from: 'later' }, target, paid },
    { expected: 1, key, seller: { ticks, may: mayOf(ctx) } },
  )
  return { admin, user: await getManagedUser(admin, ctx.db, id) }
}

/** Gives a customer a generated password. Throws NOT_FOUND and PASSWORD_NEEDED. */
export async function helperPassword(
  ctx: HelperCtx,
  id: string,
): Promise<{ admin: AdminCtx; user: ManagedUser; password: string }> {
  const { admin } = await act(ctx, 'passwords', id)
  const password = generatePassword()
  const user = await editUser(admin, { id, password }, (_tx, { before }) =>
    before.role === 'user' ? Promise.resolve() : Promise.reject(noSuchUser()),
  )
  return { admin, user, password }
}

/**
 * Regenerates the failed videos of a customer, and returns how many. Throws QUOTA_EXCEEDED if the
 * helper's number of the day does not allow so many: then none.
 */
export async function helperRegenerate(ctx: HelperCtx, id: string): Promise<number> {
  const { admin } = await act(ctx, 'regenerate', id)
  const ids = await failedVideosOf(ctx.db, id)
  if (ctx.actor.role === 'admin') return (await regenerateSelected(admin, ids)).count
  await takeFromDay(ctx, ids.length)
  try {
    return (await regenerateSelected(admin, ids)).count
  } catch (error) {
    await takeFromDay(ctx, -ids.length)
    throw error
  }
}

async function takeFromDay({ db, actor, settings }: HelperCtx, count: number): Promise<void> {
  const day = today(settings.timeZone)
  const used = sql`case when used_on = ${day} then used else 0 end + ${count}::int`
  const taken = await db.run(sql`
    update helper_rights set used = ${used}, used_on = ${day}
    where user_id = ${actor.id} and ${used} <= regenerate_per_day`)
  if (taken > 0) return
  const message = `You may not regenerate ${plural(count, 'video')} today. Ask the administrator.`
  throw new AppError('QUOTA_EXCEEDED', message)
}

/**
 * Asks the administrators to regenerate the failed videos of a customer; they are told at once.
 * Throws CONFLICT if it was asked already.
 */
export async function helperAsk(ctx: HelperCtx, id: string): Promise<void> {
  const { admin, user } = await act(ctx, 'regenerate', id)
  const { length: count } = await failedVideosOf(ctx.db, id)
  if (count === 0) throw new AppError('BAD_INPUT', 'There is no failed video')
  await ctx.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from users where id = ${id} for no key update`)
    const requestId = newId()
    const asked = await tx.run(sql`
      insert into helper_requests (id, helper_id, helper_name, customer_id, count, asked_at)
      select ${requestId}::uuid, ${ctx.actor.id}::uuid, ${ctx.actor.username}, ${id}::uuid,
        ${count}::int, engine_now()
      where not exists (select from helper_requests
        where customer_id = ${id}::uuid and decided_at is null)`)
    if (asked === 0) throw new AppError('CONFLICT', 'This has been asked already')
    const subject = { kind: 'user', id, name: user.username } as const
    await logActivity(tx, admin, { action: 'helper.ask', subject, count })
    const text = `${ctx.actor.username}: regenerate ${plural(count, 'failed video')} of ${user.username}.`
    await noteOnce(ctx, tx, { name: 'request', subjectId: requestId, text })
  })
}
