import { readWork } from '~/domain/batches/work.server'
import type { Work } from '~/domain/batches/work'
import type { UserCtx } from '~/domain/context'
import { getQuota } from '~/domain/quota/queries.server'
import type { QuotaView } from '~/domain/quota/types'
import { atOneMoment } from '~/domain/snapshot.server'
import { getUnderWay } from '~/domain/videos/gallery/progress.server'
import type { UnderWay } from '~/domain/videos/gallery/pulse'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import type { GalleryPage } from '~/domain/videos/types'
import type { SignedInArgs } from '../session/guards.server'
import { redirectWithToast } from '../session/toast.server'
import { askedBy, loadGallery, type Asked } from './gallery.server'

/**
 * What changes on a page of the user's own videos while work is under way, all read in one
 * snapshot.
 */
export type Live = { gallery: GalleryPage; quota: QuotaView; underWay: UnderWay }

type SignedIn = Pick<SignedInArgs, 'ctx' | 'account'>
type WithHeaders<Page> = Promise<Page & { headers: Headers }>

/** Loads the data of My Videos. */
export async function readVideos(signedIn: SignedIn, request: Request): WithHeaders<Live> {
  await refuseLongSearch(request)
  return atOneMoment(signedIn.ctx, (ctx) => read({ ...signedIn, ctx }, askedBy(request)))
}

/**
 * Leads from a search that is too long to all videos, and says so. The field takes no such search, so it was
 * typed into the address.
 */
async function refuseLongSearch({ url }: Request): Promise<void> {
  const { pathname, searchParams } = new URL(url)
  const { searchCharacters } = VIDEO_LIMITS
  if ((searchParams.get('search') ?? '').length <= searchCharacters) return
  searchParams.delete('search')
  throw await redirectWithToast(`${pathname}?${searchParams}`, {
    kind: 'error',
    title: 'This search is too long',
    description: `It can have at most ${searchCharacters} characters. All videos are shown.`,
  })
}

/**
 * Loads the data of the create screen, which also follows what the URL names (`watch`, `batch`).
 */
export async function readCreate(
  signedIn: SignedIn,
  request: Request,
): WithHeaders<Live & { work: Work }> {
  await refuseLongSearch(request)
  const asked = askedBy(request)
  const { search } = asked
  const named = { watch: search.get('watch'), batch: search.get('batch') }
  return atOneMoment(signedIn.ctx, async (ctx: UserCtx) => {
    const { account } = signedIn
    const live = await read({ account, ctx }, asked)
    const work = await readWork(ctx, { account, quota: live.quota, ...named })
    return { ...live, work }
  })
}

async function read({ ctx, account }: SignedIn, asked: Asked): WithHeaders<Live> {
  const { id: userId, videoLimit: limit } = account
  // Must come first. If the list cannot be read, the later statements fail in the same snapshot,
  // and `atOneMoment` then reads everything again without a snapshot.
  const { gallery, headers } = await loadGallery(ctx, asked)
  const [quota, underWay] = await Promise.all([
    getQuota(ctx.db, { userId, limit, timeZone: ctx.settings.timeZone }),
    getUnderWay(ctx),
  ])
  return { gallery, quota, underWay, headers }
}
