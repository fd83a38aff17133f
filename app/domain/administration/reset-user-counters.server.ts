import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { AdminCtx } from '../context'
import { resetCounters } from '../quota/reset-counters.server'
import { writeAudit } from '../audit.server'
import { noSuchUser } from './users-query.server'

/** Sets one user's counters to zero and answers whether there was something to reset. Throws NOT_FOUND. */
export async function resetUserCounters(ctx: AdminCtx, id: string): Promise<number> {
  if (!isId(id)) throw noSuchUser()
  return ctx.db.transaction(async (tx) => {
    const user = await tx.row<{ username: string }>(sql`
      select username from users where id = ${id} and deleted_at is null`)
    if (!user) throw noSuchUser()
    const count = await resetCounters(tx, { ...resetBy(ctx), userId: id })
    const subject = { kind: 'user', id, name: user.username } as const
    await writeAudit(tx, ctx, { action: 'user.reset-counter', subject, after: { videos: 0 } })
    return count
  })
}

/** The same for everybody; answers how many users had something to reset. */
export async function resetAllCounters(ctx: AdminCtx): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const count = await resetCounters(tx, resetBy(ctx))
    await writeAudit(tx, ctx, { action: 'users.reset-counters', count })
    return count
  })
}

const resetBy = ({ settings, actor }: AdminCtx) => ({
  timeZone: settings.timeZone,
  actorName: actor.username,
})
