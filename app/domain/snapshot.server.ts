import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import type { UserCtx } from './context'

/**
 * Reads that all see one moment, so that no two of their answers disagree. Where one of them cannot be
 * read the others are read on their own: `read` says what may be missing.
 */
export async function atOneMoment<T>(ctx: UserCtx, read: (ctx: UserCtx) => Promise<T>): Promise<T> {
  try {
    return await ctx.db.snapshot((db) => read({ ...ctx, db: { ...ctx.db, ...db } }))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return read(ctx)
  }
}
