import { webBoot } from '~/boot/web.server'
import type { UserCtx } from '~/domain/context'
import type { CollectionName } from '~/domain/videos/collections'
import { listCollectionNames } from '~/domain/videos/collections.server'
import { listBatchHeads, listOpenBatches } from '~/domain/batches/batch-list.server'
import { batchesOf } from '~/domain/videos/gallery/changes.server'
import { getCounts } from '~/domain/videos/gallery/counts.server'
import { findEditDraft } from '~/domain/videos/requests/drafts.server'
import { readChoice } from '~/domain/videos/gallery/choice'
import { countStarredOf } from '~/domain/videos/gallery/chosen.server'
import { listCards } from '~/domain/videos/gallery/list.server'
import { PAGE_SIZES, stripsSince } from '~/domain/videos/rules'
import { findVideo } from '~/domain/videos/queries.server'
import { galleryQuery } from '~/domain/videos/schemas'
import type { BatchHead, GalleryPage, VideoView } from '~/domain/videos/types'
import { bringsTyped, readDialog } from '~/lib/dialog-address'
import { isDatabaseUnavailable } from '~/platform/db/unavailable'
import { newFormKey } from '../forms/idempotency.server'

const YEAR_SECONDS = 365 * 24 * 60 * 60
/** The cookie with the user's page size. The page's script sets it too. */
const SIZE_COOKIE = /(?:^|;\s*)pageSize=(\d+)(?:;|$)/

const knownSize = (text: string | null | undefined): number | undefined =>
  Object.values(PAGE_SIZES).find((size) => String(size) === text)

/** Which page of a gallery is asked for. */
export type Asked = { search: URLSearchParams; cookies: string }

/** Reads which page of a gallery a request asks for. */
export const askedBy = ({ url, headers }: Request): Asked => ({
  search: new URL(url).searchParams,
  cookies: headers.get('cookie') ?? '',
})

/**
 * Loads the page of the user's gallery that the URL asks for, with 20 or 50 cards as last
 * chosen in this browser (decision Q-26). A page number beyond the last shows the last page. If the
 * list cannot be read, returns the gallery with `isMissing`, so that the rest of the screen still
 * works.
 */
export async function loadGallery(
  ctx: UserCtx,
  { search, cookies }: Asked,
): Promise<{ gallery: GalleryPage; headers: Headers }> {
  const { page, ...filters } = galleryQuery.parse(Object.fromEntries(search))
  const asked = knownSize(search.get('limit'))
  const kept = knownSize(SIZE_COOKIE.exec(cookies)?.[1])
  const limit = asked ?? kept ?? PAGE_SIZES.narrow
  const query = { ...filters, page, scope: 'mine', limit } as const
  const headers = new Headers()
  if (asked !== undefined) {
    headers.set('Set-Cookie', `pageSize=${asked}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`)
  }
  try {
    const [cards, rest] = await Promise.all([
      listCards(ctx, query),
      getCounts(ctx.db, ctx.actor.id),
    ])
    const batches = await readHeads(ctx, { ...cards, filters })
    return { gallery: { ...rest, filters, ...cards, batches, isMissing: false }, headers }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    webBoot().log.error({ err: error, requestId: ctx.requestId }, 'the gallery could not be read')
    // The counts are stored apart from the list and can often be read when the list cannot.
    const known = await getCounts(ctx.db, ctx.actor.id).catch(() => null)
    return { gallery: { ...NOTHING, ...known, filters }, headers }
  }
}

/**
 * Strips of batches belong between cards that are listed by time. A collection has single clips of
 * batches, so their figures and archives would say nothing of it.
 */
async function readHeads(
  ctx: UserCtx,
  page: Pick<GalleryPage, 'videos' | 'filters' | 'pagination'>,
): Promise<BatchHead[]> {
  const { search, inOrder, collection } = page.filters
  if (search !== '' || collection !== undefined) return []
  if (inOrder !== undefined) return listBatchHeads(ctx, [inOrder])
  const since = stripsSince(page)
  const open = since === null ? [] : await listOpenBatches(ctx, since)
  return listBatchHeads(ctx, [...new Set([...batchesOf(page.videos), ...open])])
}

const NO_VIDEOS = { total: 0, completed: 0, inProgress: 0, failed: 0, cancelled: 0 }
const NOTHING = {
  videos: [],
  pagination: { page: 1, limit: PAGE_SIZES.narrow, totalPages: 1, totalCount: 0 },
  counts: { ...NO_VIDEOS, portrait: NO_VIDEOS, landscape: NO_VIDEOS },
  version: 0,
  isMissing: true,
}

/** What the dialog in the URL needs in addition to the gallery's page. */
export type DialogData = {
  opened: VideoView | null
  formKey: string
  /** What the user typed before the session ended. */
  typed: string | null
  /** How many of the ticked videos in the URL are starred, if it opens the dialog that deletes them. */
  starred: number | null
  /** The user's collections, if it opens the dialog that adds to one. */
  collections: CollectionName[] | null
}

/** Loads what the dialog in the URL needs in addition to the gallery's page. */
export async function loadGalleryDialog(ctx: UserCtx, request: Request): Promise<DialogData> {
  const search = new URL(request.url).searchParams
  const { name, on } = readDialog(search)
  const opened = name === null ? null : await findVideo(ctx, on)
  const starred = name === 'delete-selected' ? await countTickedStars(ctx, search) : null
  const collections = name === 'collect-selected' ? await listCollectionNames(ctx) : null
  const typed = await loadTyped(ctx, search)
  return { opened, formKey: newFormKey(), typed, starred, collections }
}

/** Counts the starred ones of the ticked videos in an address. Null if it has none. */
async function countTickedStars(ctx: UserCtx, search: URLSearchParams): Promise<number | null> {
  const fields = new URLSearchParams(search)
  fields.set('choice', 'selected')
  const choice = readChoice(fields)
  return choice.success ? countStarredOf(ctx, choice.data) : null
}

/**
 * Returns what the user typed into the URL's dialog before the session ended, if the URL says that
 * there is a draft of it.
 */
export async function loadTyped(ctx: UserCtx, search: URLSearchParams): Promise<string | null> {
  return readDialog(search).name === 'edit' && bringsTyped(search) ? findEditDraft(ctx) : null
}
