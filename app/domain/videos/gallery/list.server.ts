import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { AdminCtx, UserCtx } from '../../context'
import { isInBatch, placeInBatch } from '../batch-members.server'
import { isInCollection } from '../collection-members.server'
import { createdOn, failedFor, hasWords } from '../found-by.server'
import { ownerNotInTrash, ownerNamed } from '../owners.server'
import { readList } from '../read-list.server'
import { HAS_CARD, HAS_CARD_AMONG_ALL, STATUS_FILTER } from '../states.server'
import { cardsFor, countFor, isSought, PAGE_SIZES } from '../rules'
import { countWaitingPrompts, getCounts } from './counts.server'
import type { VideoListQuery } from '../schemas'
import type { CardView, GalleryCounts, Pagination, VideoView } from '../types'
import {
  CARD_COLUMNS,
  OWN_VIDEO_COLUMNS,
  toCard,
  toVideo,
  type CardRow,
  type OwnVideoRow,
} from '../video-columns.server'

/**
 * Returns whether a list contains all users' videos. This is the default for administrators unless
 * they request their own (decision Q-24).
 */
export const isEverybodys = (
  ctx: UserCtx,
  { scope }: Pick<VideoListQuery, 'scope'>,
): ctx is AdminCtx => ctx.actor.role === 'admin' && scope !== 'mine'

/**
 * Query of a gallery's list. With `inOrder` it lists one batch in the order of its prompts, and `asCards`
 * leaves out the videos without a card.
 */
export type GalleryListQuery = Omit<VideoListQuery, 'words' | 'user'> &
  Partial<Pick<VideoListQuery, 'words' | 'user'>> & { asCards?: boolean }

/** Builds the query's filters as a condition on `videos` joined to `users`. */
export function matching(ctx: UserCtx, query: GalleryListQuery): Sql {
  const { status, aspectRatio, search, words = '', user = null, inOrder, reason } = query
  const { collection, starred, asCards = false } = query
  const isAll = isEverybodys(ctx, query)
  // All users' videos are searched by the owner's name, a user's own videos by prompt.
  const found = isAll
    ? sql`videos.user_id in (select id from users where ${ownerNamed(search, ctx.settings)})`
    : hasWords(search)
  return sql`videos.deleted_at is null
    and ${isAll ? ownerNotInTrash(sql`videos.user_id`) : sql`videos.user_id = ${ctx.actor.id}`}
    ${STATUS_FILTER[status]} ${asCards ? (isAll ? HAS_CARD_AMONG_ALL : HAS_CARD)[status] : empty}
    ${aspectRatio === 'all' ? empty : sql`and videos.aspect_ratio = ${aspectRatio}::aspect_ratio`}
    ${createdOn(query, ctx.settings.timeZone)} ${failedFor(reason)}
    ${inOrder === undefined ? empty : sql`and ${isInBatch(sql`${inOrder}::uuid`)}`}
    ${collection === undefined ? empty : sql`and ${isInCollection(sql`${collection}::uuid`)}`}
    ${starred === undefined ? empty : sql`and videos.starred`}
    ${search === '' ? empty : sql`and ${found}`}
    ${isAll && user !== null ? sql`and videos.user_id = ${user}` : empty}
    ${isAll && words !== '' ? sql`and ${hasWords(words)}` : empty}`
}

const NEWEST_FIRST = sql`order by videos.created_at desc, videos.id desc`
const OLDEST_FIRST = sql`order by videos.created_at, videos.id`

const orderOf = ({ inOrder }: GalleryListQuery): Sql =>
  inOrder === undefined
    ? NEWEST_FIRST
    : sql`order by ${placeInBatch(sql`${inOrder}::uuid`)}, videos.id`

/**
 * Returns whether the query is for a first page of a usual size without a search. Nearly all
 * requests are, and they all use the same statement text.
 */
const isUsual = (query: GalleryListQuery): boolean =>
  query.page === 1 &&
  !isSought(query) &&
  (query.limit === PAGE_SIZES.narrow || query.limit === PAGE_SIZES.wide)

/**
 * Builds order, limit and offset of a page. If the total is known, pages in the second half are
 * read from the other end.
 */
function placeOf(query: GalleryListQuery, total: number | undefined): Sql {
  const { limit } = query
  // The literal limit, one of two values. With a placeholder the planner has to guess how few rows
  // it is.
  if (isUsual(query)) return sql`${NEWEST_FIRST} limit ${raw(String(limit))}`
  const skipped = (query.page - 1) * limit
  const isFar = total !== undefined && skipped > total / 2 && query.inOrder === undefined
  return isFar
    ? sql`${OLDEST_FIRST} limit ${Math.max(0, Math.min(limit, total - skipped))}
        offset ${Math.max(0, total - skipped - limit)}`
    : sql`${orderOf(query)} limit ${limit} offset ${skipped}`
}

/** Selects the rows of a page from `videos`. */
const pageOf = (ctx: UserCtx, query: GalleryListQuery, total: number | undefined): Sql =>
  sql`(select * from videos where ${matching(ctx, query)} ${placeOf(query, total)}) as videos`

/** What is made of some of a list's videos, for example their JSON. */
export type ToPiece<Piece> = (videos: VideoView[]) => Piece

/**
 * Reads one page of the user's own videos, newest first, in pieces (`readList`). `counts` are those of
 * their gallery, read before: the page may be newer, never older.
 */
export async function listOwnVideos<Piece>(
  ctx: UserCtx,
  query: VideoListQuery,
  { counts, toPiece }: { counts: GalleryCounts; toPiece: ToPiece<Piece> },
): Promise<{ pieces: Piece[]; pagination: Pagination }> {
  const pagination = isSought(query)
    ? await countFound(ctx, query)
    : paginationOf(query, countFor(counts, query))
  const { username } = ctx.actor
  const pieces = await readList<OwnVideoRow, Piece>(ctx.db, {
    select: sql`
      select ${OWN_VIDEO_COLUMNS} from ${pageOf(ctx, query, pagination.totalCount)} ${orderOf(query)}`,
    limit: query.limit,
    toPiece: (rows) => toPiece(rows.map((row) => toVideo(row, username))),
  })
  return { pieces, pagination }
}

async function countFound(ctx: UserCtx, query: GalleryListQuery): Promise<Pagination> {
  const { count } = await ctx.db.one<{ count: number }>(
    sql`select count(*)::int as count from videos where ${matching(ctx, query)}`,
  )
  return paginationOf(query, count)
}

const paginationOf = (
  { page: number, limit }: Pick<VideoListQuery, 'page' | 'limit'>,
  totalCount: number,
): Pagination => ({
  page: number,
  limit,
  totalCount,
  totalPages: Math.max(1, Math.ceil(totalCount / limit)),
})

/** One page of a gallery: its cards, and where it is in the list. */
type CardsPage = { videos: CardView[]; pagination: Pagination }

/**
 * Lists a page of the cards of the user's own videos that match the filters. A page beyond the last
 * one is the last one.
 */
export async function listCards(ctx: UserCtx, asked: GalleryListQuery): Promise<CardsPage> {
  const query = { ...asked, asCards: true }
  if (isSought(query)) return findCards(ctx, query)
  const pagination = await countCards(ctx, query)
  const shown = { ...pagination, page: Math.min(query.page, pagination.totalPages) }
  // Owners are joined only to the rows of the page, not to the skipped ones.
  const rows = await ctx.db.rows<CardRow>(sql`
    select ${CARD_COLUMNS} from ${pageOf(ctx, { ...query, page: shown.page }, shown.totalCount)}
    join users on users.id = videos.user_id ${orderOf(query)}`)
  return { videos: rows.map(toCard), pagination: shown }
}

/** The same for filters that need the videos themselves, which are read once. */
async function findCards(ctx: UserCtx, query: GalleryListQuery): Promise<CardsPage> {
  const { limit } = query
  const rows = await ctx.db.rows<CardRow & { total: number }>(sql`
    with found as materialized (select * from videos where ${matching(ctx, query)}),
      known as (select count(*)::int as total from found),
      shown as (
        select * from found as videos ${orderOf(query)} limit ${limit}
        offset (select greatest(0, least(${(query.page - 1) * limit}::bigint, (total - 1) / ${limit}::int * ${limit}::int)) from known))
    select known.total, ${CARD_COLUMNS} from known, shown as videos
    join users on users.id = videos.user_id ${orderOf(query)}`)
  // The page is never beyond the last one, so it has rows if anything was found.
  const pagination = paginationOf(query, rows[0]?.total ?? 0)
  return {
    videos: rows.map(toCard),
    pagination: { ...pagination, page: Math.min(query.page, pagination.totalPages) },
  }
}

/** Counts the cards of the user's own videos in a state and an aspect ratio, from the stored counters. */
async function countCards({ db, actor }: UserCtx, query: GalleryListQuery): Promise<Pagination> {
  const [{ counts }, waiting] = await Promise.all([
    getCounts(db, actor.id),
    countWaitingPrompts(db, actor.id),
  ])
  return paginationOf(query, cardsFor(counts, waiting, query))
}
