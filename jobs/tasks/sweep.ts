import { sweepBatches } from '~/domain/batches/sweep-batches.server'
import { purgeTrashedUsers } from '~/domain/administration/user-trash.server'
import { removeExpired } from '~/domain/housekeeping.server'
import { keptClips } from '~/domain/videos/engine/clip-file.server'
import { sweep as sweepVideos } from '~/domain/videos/engine/sweep.server'
import { days, hours } from '~/lib/time'
import { task } from '../task'

export const sweep = task('system.sweep', async (ctx) => {
  await sweepVideos(ctx)
  await sweepBatches(ctx)
  await removeExpired(ctx)
  await purgeTrashedUsers(ctx)
  await ctx.storage.removeOldScratch(hours(1), await keptClips(ctx))
  await ctx.provider.tidy?.(days(1))
})
