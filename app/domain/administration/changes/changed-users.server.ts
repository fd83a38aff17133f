import { plural } from '~/lib/figures'
import type { AdminCtx } from '../../context'
import { storedText } from '../outcome'
import { findManagedUser } from '../users/users-query.server'

/** Returns the ids of the users of a change. */
export const usersOfChange = async ({ db }: AdminCtx, changeId: string): Promise<string[]> =>
  (
    await db.prisma(({ bulkChangeUser }) =>
      bulkChangeUser.findMany({ where: { changeId }, select: { userId: true } }),
    )
  ).map(({ userId }) => userId)

/** Says what a change or its undo has left: what a single account has now, or how many there are. */
export async function nowText(ctx: AdminCtx, ids: readonly string[]): Promise<string> {
  const [id = null] = ids
  if (ids.length > 1) return `${plural(ids.length, 'user')}.`
  const user = await findManagedUser(ctx, ctx.db, id)
  return user ? storedText(user, ctx.settings.timeZone) : 'The account is in the trash.'
}
