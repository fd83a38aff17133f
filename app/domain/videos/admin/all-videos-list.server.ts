import sql, { empty, type Sql } from 'sql-template-tag'
import type { AdminCtx } from '../../context'
import { ownerNotInTrash, ownerNamed } from '../owners.server'
import { getAllVideosCounts, isOwnedBy } from './all-videos-counts.server'
import {
  allVideosWhere,
  countEnded,
  countMatching,
  countStarred,
  stateAndRatio,
  type SoughtVideos,
} from './all-videos-filter.server'
import type { Cursor } from '../cursor'
import { ALL_VIDEOS_PAGE_SIZE, type AllVideosQuery } from './all-videos-schemas'
import { cardsFor, countFor, isSought } from '../rules'
import type { VideoListQuery } from '../schemas'
import { countWaitingOf } from '../gallery/counts.server'
import type { ToPiece } from '../gallery/list.server'
import { readList } from '../read-list.server'
import type { CardView, GalleryCounts, GalleryPage, Pagination } from '../types'
import {
  CARD_COLUMNS,
  toCard,
  toVideo,
  VIDEO_COLUMNS,
  type CardRow,
  type VideoRow,
} from '../video-columns.server'

const NEWEST_FIRST = sql`created_at desc, id desc`
const OLDEST_FIRST = sql`created_at, id`

/**
 * If the searched users own less than this share of all videos, their galleries are merged.
 * Otherwise all videos are scanned and those of other users are skipped.
 */
const RARE_SHARE = 0.02

export type AllVideosPage = {
  gallery: GalleryPage
  /** Counts for the whole platform, regardless of filters. */
  counts: GalleryCounts
  /** How many videos an action on all that match would reach: all of them, also those without a card, or the
   * ended ones; and how many of them are starred, which deleting leaves. `starred` is read only if it is asked for. */
  reach: { all: number; ended: number; starred: number }
}

/**
 * Returns a page of all users' videos, newest first. The cost does not grow with the number of
 * videos: a page is found from its neighbour (`after`, `before`) or from the nearer end, and totals
 * come from the stored counters of the galleries, one row per user.
 */
export async function getAllVideosPage(
  ctx: AdminCtx,
  query: AllVideosQuery,
  { withStarred = false } = {},
): Promise<AllVideosPage> {
  const { status, aspectRatio, search, words, user } = query
  const matching = await countAllVideos(ctx, query)
  const { counts, shown, isRare } = matching
  const starred = withStarred ? await countStarred(ctx, query) : 0
  const all = matching.totalCount
  const reach = { all, ended: await countEnded(ctx, query, all), starred }
  const totalCount = await countCards(ctx, query, matching)
  const totalPages = Math.max(1, Math.ceil(totalCount / ALL_VIDEOS_PAGE_SIZE))
  const page = Math.min(query.page, totalPages)
  const pagination: Pagination = { page, limit: ALL_VIDEOS_PAGE_SIZE, totalPages, totalCount }
  const videos = await readCards(
    ctx,
    pick(ctx, { ...query, asCards: true }, { window: windowOf(query, pagination), isRare }),
  )
  const { days, first, last, since, reason } = query
  const filters = {
    status,
    aspectRatio,
    search,
    words,
    ...(user !== null && { user }),
    days,
    first,
    last,
    since,
    reason,
  }
  return {
    gallery: { videos, pagination, counts: shown, version: 0, filters, isMissing: false },
    counts,
    reach,
  }
}

/**
 * Reads a page of all users' videos for the list call, newest first, in pieces (`readList`). Found as
 * cheaply as a page of the screen. A page after the last one is empty.
 */
export async function listAllVideos<Piece>(
  ctx: AdminCtx,
  { page, limit, scope: _, ...query }: VideoListQuery,
  toPiece: ToPiece<Piece>,
): Promise<{ pieces: Piece[]; pagination: Pagination }> {
  const { totalCount, isRare } = await countAllVideos(ctx, query)
  const totalPages = Math.max(1, Math.ceil(totalCount / limit))
  const pagination: Pagination = { page, limit, totalPages, totalCount }
  if (page > totalPages) return { pieces: [toPiece([])], pagination }
  const window = windowOf({ after: null, before: null }, pagination)
  const pieces = await readList<VideoRow, Piece>(ctx.db, {
    select: sql`
      select ${VIDEO_COLUMNS} from (${pick(ctx, query, { window, isRare })}) as chosen
        join videos on videos.id = chosen.id join users on users.id = videos.user_id
      order by videos.created_at desc, videos.id desc`,
    limit,
    toPiece: (rows) => toPiece(rows.map((row) => toVideo(row, row.username))),
  })
  return { pieces, pagination }
}

/**
 * Counts the videos that match the filters, and reports whether the searched users own few of all
 * videos.
 */
async function countAllVideos(ctx: AdminCtx, query: SoughtVideos) {
  const { status, aspectRatio, search, user } = query
  const isNarrowed = search !== '' || user !== null
  const [counts, theirs] = await Promise.all([
    getAllVideosCounts(ctx),
    isNarrowed ? getAllVideosCounts(ctx, query) : null,
  ])
  const shown = theirs ?? counts
  const totalCount = isSought({ ...query, search: '' })
    ? await countMatching(ctx, query)
    : countFor(shown, { status, aspectRatio })
  return {
    counts,
    shown,
    totalCount,
    isRare: search !== '' && shown.total < counts.total * RARE_SHARE,
  }
}

/** Counts the cards among the videos that match: the page of all states leaves out what was never sent. */
async function countCards(
  ctx: AdminCtx,
  query: AllVideosQuery,
  { shown, totalCount }: { shown: GalleryCounts; totalCount: number },
): Promise<number> {
  if (query.status !== 'all') return totalCount
  if (isSought({ ...query, search: '' })) return countMatching(ctx, { ...query, asCards: true })
  return cardsFor(shown, await countWaitingOf(ctx.db, isOwnedBy(query, ctx.settings)), query)
}

async function readCards({ db }: AdminCtx, ids: Sql): Promise<CardView[]> {
  const rows = await db.rows<CardRow>(sql`
    select ${CARD_COLUMNS} from (${ids}) as chosen
      join videos on videos.id = chosen.id join users on users.id = videos.user_id
    order by videos.created_at desc, videos.id desc`)
  return rows.map(toCard)
}

/** The rows of a page: those next to a known video, or those at an offset from one end. */
type Window =
  | { from: 'after' | 'before'; cursor: Cursor; limit: number }
  | { from: 'start' | 'end'; offset: number; limit: number }

function windowOf(
  { after, before }: Pick<AllVideosQuery, 'after' | 'before'>,
  { page, limit, totalPages, totalCount }: Pagination,
): Window {
  if (page === 1) return { from: 'start', offset: 0, limit }
  const onLast = totalCount - (totalPages - 1) * limit
  if (page === totalPages) return { from: 'end', offset: 0, limit: onLast }
  if (after) return { from: 'after', cursor: after, limit }
  if (before) return { from: 'before', cursor: before, limit }
  const offset = (page - 1) * limit
  if (offset <= totalCount / 2) return { from: 'start', offset, limit }
  return { from: 'end', offset: totalCount - offset - limit, limit }
}

function pick(
  { settings }: AdminCtx,
  query: SoughtVideos,
  { window, isRare }: { window: Window; isRare: boolean },
): Sql {
  const { search, user } = query
  const order = window.from === 'start' || window.from === 'after' ? NEWEST_FIRST : OLDEST_FIRST
  const offset = 'offset' in window ? window.offset : 0
  const matches = sql`deleted_at is null ${stateAndRatio(query)} ${beyond(window)}`
  const ends = sql`order by ${order} limit ${window.limit} offset ${offset}`
  if (isSought({ ...query, search: '' })) {
    return sql`select id from videos where ${allVideosWhere(query, settings)} ${beyond(window)} ${ends}`
  }
  const named = sql`from users where ${ownerNamed(search, settings)}`
  if (user !== null) {
    // If both filters are set, the search must also match the chosen user.
    return sql`select id from videos where user_id = (select id ${named} and id = ${user})
      and ${matches} ${ends}`
  }
  if (search === '') {
    return sql`select id from videos where ${matches} and ${ownerNotInTrash(sql`user_id`)} ${ends}`
  }
  if (isRare) {
    return sql`select theirs.id from (select users.id as owner ${named}) as owners
      cross join lateral (
        select id, created_at from videos where user_id = owner and ${matches}
        order by ${order} limit ${window.limit + offset}) as theirs
      order by ${order} limit ${window.limit} offset ${offset}`
  }
  return sql`select id from videos where ${matches}
    and exists (select 1 ${named} and users.id = videos.user_id) ${ends}`
}

function beyond(window: Window): Sql {
  switch (window.from) {
    case 'after':
      return sql`and (created_at, id) < (${window.cursor.at}::timestamptz, ${window.cursor.id}::uuid)`
    case 'before':
      return sql`and (created_at, id) > (${window.cursor.at}::timestamptz, ${window.cursor.id}::uuid)`
    default:
      return empty
  }
}
