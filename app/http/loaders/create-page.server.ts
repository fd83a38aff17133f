import { readWork } from '~/domain/batches/work.server'
import type { Work } from '~/domain/batches/work'
import { getQuota } from '~/domain/quota/queries.server'
import type { QuotaView } from '~/domain/quota/types'
import { atOneMoment } from '~/domain/snapshot.server'
import { getDrafts } from '~/domain/videos/requests/drafts.server'
import type { GalleryPage } from '~/domain/videos/types'
import { loadGallery } from './gallery.server'
import type { SignedInArgs } from '../session/guards.server'
import { newFormKey } from '../forms/idempotency.server'

/** The forms of the create screen, for the signed-in user and the page's address. */
export async function readForms({ ctx, account }: SignedInArgs, search: URLSearchParams) {
  return {
    userId: account.id,
    formKey: newFormKey(),
    prompt: search.get('prompt') ?? '',
    drafts: await getDrafts(ctx),
  }
}

/** What work changes on a page, and whatever else of the page has to be of the same moment. */
export type Live = { gallery: GalleryPage; quota: QuotaView; work: Work }

/** Everything on the create screen that work changes, as it was at one moment. */
export function readLive(
  { ctx, account }: Pick<SignedInArgs, 'ctx' | 'account'>,
  request: Request,
): Promise<Live & { headers: Headers }> {
  const search = new URL(request.url).searchParams
  return atOneMoment(ctx, async (ctx) => {
    const quota = await getQuota(ctx.db, {
      userId: account.id,
      limit: account.videoLimit,
      timeZone: ctx.settings.timeZone,
    })
    const named = { watch: search.get('watch'), batch: search.get('batch') }
    const [work, { gallery, headers }] = await Promise.all([
      readWork(ctx, { account, quota, ...named }),
      loadGallery(ctx, request),
    ])
    return { gallery, quota, work, headers }
  })
}
