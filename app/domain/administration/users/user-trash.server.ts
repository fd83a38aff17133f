import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { nameForms } from '../../names/name-forms.server'
import { requireProof } from '../../accounts/proof.server'
import { isDuplicate } from '~/platform/db/duplicate'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx, Ctx } from '../../context'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { logActivity } from '../../activity/write.server'
import { restoreVideos } from '../../videos/requests/trash.server'
import { USER_RULES } from '../rules'
import type { TrashedUser } from '../types'

const PAGE = 50
const PURGE_STEP = 20
const TRASH_DAYS = USER_RULES.trashDays
const IS_OLD = sql`users.deleted_at < engine_now() - make_interval(days => ${TRASH_DAYS})`

export type UserTrashPage = { users: TrashedUser[]; totalCount: number; totalPages: number }

/** Lists deleted accounts that can still be restored, most recently deleted first. */
export async function listTrashedUsers(
  { db, settings }: AdminCtx,
  { page, search }: { page: number; search: string },
): Promise<UserTrashPage> {
  const which = sql`deleted_at is not null and not ${IS_OLD}
    and username ^@ any(${[...nameForms(search, settings.phoneCountries).forms]}::text[])`
  const { count: totalCount } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from users where ${which}`,
  )
  const users = await db.rows<TrashedUser>(sql`
    select id, username, role, plan, ${isoText(sql`deleted_at`)} as "deletedAt",
      ${isoText(sql`deleted_at + make_interval(days => ${TRASH_DAYS})`)} as "goneAt",
      (select count(*)::int from videos where user_id = users.id and videos.deleted_at >= users.deleted_at) as videos
    from users where ${which} order by deleted_at desc, id limit ${PAGE} offset ${(page - 1) * PAGE}`)
  return { users, totalCount, totalPages: Math.max(1, Math.ceil(totalCount / PAGE)) }
}

/**
 * Restores a deleted user with the videos that were deleted together with them. Throws NOT_FOUND if
 * the user is no longer in the trash, CONFLICT if another user has the username, and
 * PASSWORD_NEEDED.
 */
export async function restoreUser(ctx: AdminCtx, id: string): Promise<string> {
  if (!isId(id)) throw notInTrash()
  requireProof(ctx)
  return ctx.db.transaction((tx) => restoreIn(ctx, tx, id))
}

/** Like `restoreUser`, in a transaction that has more to do. */
export async function restoreIn(ctx: AdminCtx, tx: Tx, id: string): Promise<string> {
  const found = await tx.row<{ username: string; deletedAt: Date }>(sql`
      select username, deleted_at as "deletedAt" from users where id = ${id} and deleted_at is not null and not ${IS_OLD} for update`)
  if (!found) throw notInTrash()
  const { forms } = nameForms(found.username, ctx.settings.phoneCountries)
  const where = { username: { in: [...forms] }, deletedAt: null }
  if (await tx.prisma(({ user }) => user.findFirst({ where, select: { id: true } })))
    throw nameTaken(found.username)
  const came = sql`videos.user_id = ${id} and videos.deleted_at >= ${found.deletedAt}`
  const count = await restoreVideos(tx, came)
  await bringBack(tx, { id, username: found.username })
  const subject = { kind: 'user', id, name: found.username } as const
  await logActivity(tx, ctx, { action: 'user.restore', subject, after: { videos: count } })
  return found.username
}

/** Throws CONFLICT if somebody makes an account with the name at the same moment. */
async function bringBack(tx: Tx, { id, username }: { id: string; username: string }) {
  try {
    await tx.run(sql`update users set deleted_at = null where id = ${id}`)
  } catch (error) {
    throw isDuplicate(error, 'users_username_key') ? nameTaken(username) : error
  }
}

const nameTaken = (username: string) =>
  new AppError(
    'CONFLICT',
    `Another user has the username ${username} by now. Delete that user first.`,
  )

const notInTrash = () => new AppError('NOT_FOUND', 'This user is not in the trash any more')

/**
 * Permanently removes users who have been in the trash for TRASH_DAYS and whose videos have been
 * purged, with all their data except the activity log. Idempotent.
 */
export async function purgeTrashedUsers({ db }: Pick<Ctx, 'db'>): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx.rows<{ id: string }>(sql`
        select id from users where ${IS_OLD} and not exists (select 1 from videos where user_id = users.id)
        order by deleted_at limit ${PURGE_STEP} for update skip locked`)
      const ids = old.map(({ id }) => id)
      if (ids.length === 0) return 0
      for (const table of OWNED) {
        await tx.run(sql`delete from ${table} where user_id = any(${ids}::uuid[])`)
      }
      return tx.run(sql`delete from users where id = any(${ids}::uuid[])`)
    })
    if (count < PURGE_STEP) return
  }
}

/** Tables that reference a user by id without a foreign key. */
const OWNED = [
  sql`quota_days`,
  sql`quota_months`,
  sql`quota_charges`,
  sql`quota_adjustments`,
  sql`idempotency_keys`,
  sql`bulk_change_users`,
]
