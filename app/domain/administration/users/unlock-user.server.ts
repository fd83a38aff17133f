import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { unlockSignIn } from '../../accounts/sessions.server'
import { logActivity } from '../../activity/write.server'
import type { AdminCtx } from '../../context'
import { getManagedUser, noSuchUser } from './users-query.server'

/** How far back failed sign-ins matter: the longest time for which tries are counted. */
const COUNTED = sql`interval '1 hour'`

/**
 * Returns how often signing in to an account failed, or was refused after too many tries, in the
 * last hour and since it was unlocked.
 */
export async function countFailedSignIns({ db }: AdminCtx, id: string | null): Promise<number> {
  if (id === null || !isId(id)) return 0
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from trail_entries
    where subject_id = ${id} and action in ('auth.failure', 'auth.locked', 'auth.wrong-code')
      and at > greatest(engine_now() - ${COUNTED}, (
        select max(at) from trail_entries where subject_id = ${id} and action = 'user.unlock'))`)
  return count
}

/**
 * Lets a user sign in at once who is refused after too many tries. Writes an entry of the activity log and
 * returns the username. Throws NOT_FOUND.
 */
export async function unlockUser(ctx: AdminCtx, id: string): Promise<string> {
  if (!isId(id)) throw noSuchUser()
  return ctx.db.transaction(async (tx) => {
    const { username } = await getManagedUser(ctx, tx, id)
    await unlockSignIn(tx, id)
    const subject = { kind: 'user', id, name: username } as const
    await logActivity(tx, ctx, { action: 'user.unlock', subject })
    return username
  })
}
