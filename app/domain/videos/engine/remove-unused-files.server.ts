import { filesOf } from '~/lib/poster-files'
import type { EngineCtx } from './context'

/** Removes files that no row references any more. Idempotent. */
export async function removeUnusedFiles(ctx: EngineCtx, keys: readonly string[]): Promise<void> {
  for (const file of keys.flatMap(filesOf)) await ctx.storage.remove(file)
}
