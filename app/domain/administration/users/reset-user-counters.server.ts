import { isId } from '~/lib/ids'
import type { AdminCtx } from '../../context'
import { requireProof } from '../../accounts/proof.server'
import { resetCounters } from '../../quota/reset-counters.server'
import { logActivity } from '../../activity/write.server'
import { noSuchUser } from './users-query.server'

/**
 * Resets one user's counters to zero. Returns 1 if there was anything to reset, else 0. Throws
 * NOT_FOUND, PASSWORD_NEEDED.
 */
export async function resetUserCounters(ctx: AdminCtx, id: string): Promise<number> {
  requireProof(ctx, 'today')
  if (!isId(id)) throw noSuchUser()
  return ctx.db.transaction(async (tx) => {
    const found = await tx.prisma(({ user }) =>
      user.findFirst({ where: { id, deletedAt: null }, select: { username: true } }),
    )
    if (!found) throw noSuchUser()
    const reset = await resetCounters(tx, { ...resetBy(ctx), userId: id })
    await logActivity(tx, ctx, {
      action: 'user.reset-counter',
      subject: { kind: 'user', id, name: found.username },
      before: { videos: reset[0]?.monthUnits ?? 0 },
      after: { videos: 0 },
    })
    return reset.length
  })
}

/** Resets all users' counters. Returns how many users had anything to reset. Throws PASSWORD_NEEDED. */
export async function resetAllCounters(ctx: AdminCtx): Promise<number> {
  requireProof(ctx, 'today')
  return ctx.db.transaction(async (tx) => {
    const { length: count } = await resetCounters(tx, resetBy(ctx))
    await logActivity(tx, ctx, { action: 'users.reset-counters', count })
    return count
  })
}

const resetBy = ({ settings, actor }: AdminCtx) => ({
  timeZone: settings.timeZone,
  actorName: actor.username,
})
