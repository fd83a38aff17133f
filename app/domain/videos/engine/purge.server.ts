import type { EngineCtx } from './context'

/** Removes files that no row names any more. Safe to repeat. */
export async function purgeFiles(ctx: EngineCtx, keys: readonly string[]): Promise<void> {
  for (const key of keys) await ctx.storage.remove(key)
}
