import type { Account } from '~/domain/accounts/types'
import { readWork } from '~/domain/batches/work.server'
import type { UserCtx } from '~/domain/context'
import { getQuota } from '~/domain/quota/queries.server'
import { atOneMoment } from '~/domain/snapshot.server'
import { getFeedState, listChanges, listNewest } from '~/domain/videos/gallery/changes.server'
import { getUnderWay } from '~/domain/videos/gallery/progress.server'
import { loadGallery } from '../loaders/gallery.server'

type Question = {
  account: Account
  /** What the asker has seen; null: nothing yet. */
  since: number | null
  request: Request
}

/**
 * What changed in the user's videos after a version, with counts and quota, all of one moment. The
 * address may ask for more of that moment: `screen=videos` for how far the work is, `screen=create`
 * also for what the create screen follows (`watch`, `batch`), `list=whole` for a page of the gallery by
 * the parameters of its own address.
 */
export function readFeed(ctx: UserCtx, { account, since, request }: Question) {
  const { searchParams } = new URL(request.url)
  const { id: userId, videoLimit: limit } = account
  return atOneMoment(ctx, async (ctx) => {
    const [state, quota] = await Promise.all([
      getFeedState(ctx, { limit }),
      getQuota(ctx.db, { userId, limit, timeZone: ctx.settings.timeZone }),
    ])
    const { version, counts } = state
    const changes =
      since === null
        ? await listNewest(ctx.db, userId)
        : since >= version
          ? { version, videos: [], deletedIds: [] }
          : await listChanges(ctx.db, userId, since)
    const named = { watch: searchParams.get('watch'), batch: searchParams.get('batch') }
    const screen = searchParams.get('screen')
    const isWhole = searchParams.get('list') === 'whole'
    return {
      ...changes,
      /** After a long absence: there is more than one answer holds. */
      isShort: changes.version < version,
      counts,
      quota,
      ...(screen !== null && { underWay: await getUnderWay(ctx) }),
      ...(screen === 'create' && { work: await readWork(ctx, { account, quota, ...named }) }),
      ...(isWhole && { gallery: (await loadGallery(ctx, request)).gallery }),
    }
  })
}
