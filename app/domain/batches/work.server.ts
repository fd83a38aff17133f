import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { standing } from '../accounts/rules'
import type { Account } from '../accounts/types'
import type { UserCtx } from '../context'
import type { QuotaView } from '../quota/types'
import { countSinglesAhead, findRunningSingle } from '../videos/gallery/progress.server'
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
  const [progress, watched, single, singlesAhead, { estimateInputs, now }] = await Promise.all([
    findBatchProgress(ctx, batch, has),
    orNone(ctx, findVideo(ctx, watch)),
    orNone(ctx, findRunningSingle(ctx)),
    orNone(ctx, countSinglesAhead(ctx, account.speedLimit)),
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
    singlesAhead,
  }
}

/**
 * Returns null if a part cannot be read, so that the form, the batch and the quota still work.
 * Rethrows the error if the database is unavailable.
 */
async function orNone<Part>(ctx: UserCtx, part: Promise<Part | null>): Promise<Part | null> {
  try {
    return await part
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'a part of the work could not be read')
    return null
  }
}
