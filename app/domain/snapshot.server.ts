import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import type { UserCtx } from './context'

/**
 * Runs `read` in one database snapshot, so that its results are consistent with each other. If a
 * statement fails for another reason than an unavailable database, runs `read` again without the
 * snapshot, so that each part succeeds or fails independently. `read` decides which parts may be
 * missing.
 */
export async function atOneMoment<T>(ctx: UserCtx, read: (ctx: UserCtx) => Promise<T>): Promise<T> {
  try {
    return await ctx.db.snapshot((db) => read({ ...ctx, db: { ...ctx.db, ...db } }))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return read(ctx)
  }
}
