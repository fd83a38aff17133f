import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { standing } from '../accounts/rules'
import type { Account } from '../accounts/types'
import type { UserCtx } from '../context'
import type { QuotaView } from '../quota/types'
import type { VideoView } from '../videos/types'
import { findRunningSingle } from '../videos/gallery/progress.server'
import { findVideo } from '../videos/queries.server'
import { getEstimateInputs } from './estimate.server'
import { findBatchProgress } from './queries.server'
import { trackedOf, type Work } from './work'

type Options = {
  account: Account
  quota: QuotaView
  /** Ids that a page follows; null, or somebody else's, for none. */
  watch: string | null
  batch: string | null
}

/** What the create screen follows: the running single and batch, or those that are named. */
export async function readWork(
  ctx: UserCtx,
  { account, quota, watch, batch }: Options,
): Promise<Work> {
  const [progress, watched, single, { estimateInputs, now }] = await Promise.all([
    findBatchProgress(ctx, batch),
    orNone(ctx, findVideo(ctx, watch)),
    orNone(ctx, findRunningSingle(ctx)),
    getEstimateInputs(ctx, account, quota),
  ])
  const isShown =
    batch !== null ||
    trackedOf({ watched, single }) === null ||
    progress?.batch.status === 'processing'
  return {
    standing: standing(account, now),
    estimateInputs,
    progress: isShown ? progress : null,
    ...{ watched, single },
  }
}

/** A video that cannot be read is as good as none: writing, the batch and the quota still work. */
async function orNone(ctx: UserCtx, part: Promise<VideoView | null>): Promise<VideoView | null> {
  try {
    return await part
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'the followed video could not be read')
    return null
  }
}
