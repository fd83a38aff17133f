import sql from 'sql-template-tag'
import { figure } from '~/lib/figures'
import { isId } from '~/lib/ids'
import { seconds } from '~/lib/time'
import { requireProof } from '../../accounts/proof.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { logActivity } from '../../activity/write.server'
import { clearTrashed } from './clear-trashed.server'
import { lockAdmins, refuseLastAdmin, refuseOneself } from './guard-admins.server'
import { trashUsers } from './stop-users.server'
import { noSuchUser } from './users-query.server'

/** How long a call continues to move the users' videos. A job moves the rest. */
const WAIT_MS = seconds(3)

/**
 * Moves a user and their videos to the trash for seven days. Ends their sessions and cancels their
 * unsent work at once. Throws PASSWORD_NEEDED, NOT_FOUND, and CONFLICT for the actor's own account
 * or the last administrator.
 */
export async function deleteUser(ctx: AdminCtx, id: string): Promise<string> {
  if (!isId(id)) throw noSuchUser()
  refuseOneself(ctx, id, 'delete')
  requireProof(ctx)
  const username = await ctx.db.transaction(async (tx) => {
    await lockAdmins(tx)
    const [gone] = await trashUsers(tx, ctx.queue, sql`id = ${id}`)
    if (!gone) throw noSuchUser()
    await refuseLastAdmin(tx, id)
    const subject = { kind: 'user', id, name: gone.username } as const
    await logActivity(tx, ctx, { action: 'user.delete', subject })
    return gone.username
  })
  await clearTrashed(ctx, WAIT_MS)
  return username
}

/** Administrators are kept, editors are not (decision Q-42). */
const NOT_ADMIN = sql`role <> 'admin'`

/** Counts the users whom a deletion of all users would affect. */
export const countDeletable = ({ db }: AdminCtx): Promise<number> =>
  db.prisma(({ user }) => user.count({ where: { role: { not: 'admin' }, deletedAt: null } }))

/**
 * Moves all users except administrators to the trash, with their videos. `expected` is the number
 * that the administrator typed. Throws CONFLICT if it differs from the actual number, and
 * PASSWORD_NEEDED. Returns how many were deleted.
 */
export async function deleteAllUsers(ctx: AdminCtx, expected?: number): Promise<number> {
  requireProof(ctx)
  const count = await ctx.db.transaction(async (tx) => {
    const gone = await trashUsers(tx, ctx.queue, NOT_ADMIN)
    if (expected !== undefined && expected !== gone.length) {
      const message = `There are ${figure(gone.length)} users, not ${figure(expected)}. Nobody was deleted.`
      throw new AppError('CONFLICT', message, { fields: { count: [message] } })
    }
    await logActivity(tx, ctx, { action: 'users.delete-all', count: gone.length })
    return gone.length
  })
  await clearTrashed(ctx, WAIT_MS)
  return count
}
