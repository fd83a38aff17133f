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
import { aheadOf } from './receipt'
import { trackedOf, type Work } from './work'

type Options = {
  account: Account
  quota: QuotaView
  /**
   * Ids of the video and batch that a page follows; null for none. Ids of other users are ignored.
   */
  watch: string | null
  batch: string | null
  /** The batch whose sheet the page has. */
  has?: string | null
}

/** Reads what the create screen follows: the requested video and batch, or the running ones. */
export async function readWork(
  ctx: UserCtx,
  { account, quota, watch, batch, has = null }: Options,
): Promise<Work> {
  const [progress, watched, single, { estimateInputs, now }] = await Promise.all([
    findBatchProgress(ctx, batch, has),
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
    estimateInputs: { ...estimateInputs, ahead: aheadOf(progress) },
    progress: isShown ? progress : null,
    watched,
    single,
  }
}

/**
 * Returns null if the video cannot be read, so that the form, the batch and the quota still work.
 * Rethrows the error if the database is unavailable.
 */
async function orNone(ctx: UserCtx, part: Promise<VideoView | null>): Promise<VideoView | null> {
  try {
    return await part
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'the followed video could not be read')
    return null
  }
}
