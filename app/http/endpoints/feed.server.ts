import type { Account } from '~/domain/accounts/types'
import { listBatchHeads } from '~/domain/batches/batch-list.server'
import { readWork } from '~/domain/batches/work.server'
import type { UserCtx } from '~/domain/context'
import { getQuota } from '~/domain/quota/queries.server'
import { atOneMoment } from '~/domain/snapshot.server'
import { getFeedState, listChanges, listNewest } from '~/domain/videos/gallery/changes.server'
import { countWaitingPrompts } from '~/domain/videos/gallery/counts.server'
import { getUnderWay } from '~/domain/videos/gallery/progress.server'
import { loadGallery, type Asked } from '../loaders/gallery.server'

type Question = {
  account: Account
  /** The version that the client has. Null if it has none yet. */
  since: number | null
  asked: Asked
}

/**
 * Returns what changed in the user's videos after a version, with counts and quota, all read in one
 * snapshot. The query string can request more from that snapshot: `screen=videos` for the progress
 * of the work and the strips of the batches that changed, `screen=create` also for what the create screen follows (`watch`, `batch`), without
 * the sheet of a batch that the page has (`has`), and
 * `list=whole` for a page of the gallery, by the same parameters as in the page's own URL.
 */
export function readFeed(ctx: UserCtx, { account, since, asked }: Question) {
  const { search } = asked
  const { id: userId, videoLimit: limit, clipUnits } = account
  return atOneMoment(ctx, async (ctx) => {
    const [state, quota] = await Promise.all([
      getFeedState(ctx, { limit, clipUnits }),
      getQuota(ctx.db, { userId, limit, timeZone: ctx.settings.timeZone }),
    ])
    const { version, counts } = state
    const { batchIds, ...changes } =
      since === null
        ? await listNewest(ctx.db, userId)
        : since >= version
          ? { version, videos: [], deletedIds: [], batchIds: [] }
          : await listChanges(ctx.db, userId, since)
    const named = {
      watch: search.get('watch'),
      batch: search.get('batch'),
      has: search.get('has'),
    }
    const screen = search.get('screen')
    const isWhole = search.get('list') === 'whole'
    return {
      ...changes,
      /** True after a long absence: there are more changes than one response contains. */
      isShort: changes.version < version,
      counts,
      quota,
      ...(screen !== null && {
        underWay: await getUnderWay(ctx),
        waiting: await countWaitingPrompts(ctx.db, userId),
        batches: await listBatchHeads(ctx, batchIds),
      }),
      ...(screen === 'create' && { work: await readWork(ctx, { account, quota, ...named }) }),
      ...(isWhole && { gallery: (await loadGallery(ctx, asked)).gallery }),
    }
  })
}
