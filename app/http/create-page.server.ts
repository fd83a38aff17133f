import { getOutlook } from '~/domain/batches/estimate.server'
import { findBatchProgress } from '~/domain/batches/queries.server'
import { standing } from '~/domain/accounts/rules'
import type { UserCtx } from '~/domain/context'
import { getQuota } from '~/domain/quota/queries.server'
import { getDrafts } from '~/domain/videos/drafts.server'
import { findRunningSingle, listHolds } from '~/domain/videos/progress.server'
import { findVideo } from '~/domain/videos/queries.server'
import { isInProgress } from '~/domain/videos/rules'
import { isDatabaseAway } from '~/platform/db/away'
import type { SignedInArgs } from './guards.server'
import { newFormKey } from './idempotency.server'

/** What the create screen shows above the gallery, for the signed-in user and the page's address. */
export async function readCreatePage({ ctx, account }: SignedInArgs, search: URLSearchParams) {
  const { timeZone } = ctx.settings
  const watched = search.get('watch')
  const named = search.get('batch')
  const [quota, progress, holds, tracked, single, drafts] = await Promise.all([
    getQuota(ctx.db, { userId: account.id, limit: account.videoLimit, timeZone }),
    findBatchProgress(ctx, named),
    listHolds(ctx),
    orNone(ctx, findVideo(ctx, watched)),
    orNone(ctx, findRunningSingle(ctx)),
    getDrafts(ctx),
  ])
  const { outlook, now } = await getOutlook(ctx, account, quota)
  const isShown = tracked === null || named !== null || progress?.batch.status === 'processing'
  return {
    userId: account.id,
    formKey: newFormKey(),
    prompt: search.get('prompt') ?? '',
    standing: standing(account, now),
    quota,
    outlook,
    now: now.toISOString(),
    progress: isShown ? progress : null,
    holds,
    // What runs is followed before what is only looked at.
    tracked: tracked && (isInProgress(tracked) || single === null) ? tracked : single,
    isSingleRunning: single !== null,
    drafts,
  }
}

/**
 * A video that cannot be read is as good as none: writing, the batch and the quota still work, and the
 * gallery below says that videos cannot be read.
 */
async function orNone<T>(ctx: UserCtx, part: Promise<T | null>): Promise<T | null> {
  try {
    return await part
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'the followed video could not be read')
    return null
  }
}
