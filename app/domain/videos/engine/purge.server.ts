import type { EngineCtx } from './context'

/** Removes files that no row references any more. Idempotent. */
export async function purgeFiles(ctx: EngineCtx, keys: readonly string[]): Promise<void> {
  for (const key of keys) await ctx.storage.remove(key)
}
