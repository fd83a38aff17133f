import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { AdminCtx, UserCtx } from '../../context'
import { AppError } from '../../errors'
import { COUNT_OF } from './count-of.server'
import { countColumns, toCounts, type CountRow } from './counts.server'
import { createdOn, hasWords } from '../found-by.server'
import { ownerNotInTrash, ownerNamed } from '../owners.server'
import { STATUS_FILTER } from '../queries.server'
import { countFor, isSought, PAGE_SIZES } from '../rules'
import type { VideoListQuery } from '../schemas'
import type { CardView, Pagination } from '../types'
import { arrayOf, cardJson, videoJson } from '../video-json.server'

/**
 * Returns whether a list contains all users' videos. This is the default for administrators unless
 * they request their own (decision Q-24).
 */
export const isEverybodys = (
  ctx: UserCtx,
  { scope }: Pick<VideoListQuery, 'scope'>,
): ctx is AdminCtx => ctx.actor.role === 'admin' && scope !== 'mine'

/** Query of a gallery's list. With `inOrder` it lists one batch in the order of its prompts. */
export type GalleryListQuery = Omit<VideoListQuery, 'words' | 'user'> &
  Partial<Pick<VideoListQuery, 'words' | 'user'>>

/** Builds the query's filters as a condition on `videos` joined to `users`. */
export function matching(ctx: UserCtx, query: GalleryListQuery): Sql {
  const { status, aspectRatio, search, words = '', user = null, inOrder } = query
  const isAll = isEverybodys(ctx, query)
  // All users' videos are searched by the owner's name, a user's own videos by prompt.
  const found = isAll
    ? sql`videos.user_id in (select id from users where ${ownerNamed(search, ctx.settings)})`
    : hasWords(search)
  return sql`videos.deleted_at is null
    and ${isAll ? ownerNotInTrash(sql`videos.user_id`) : sql`videos.user_id = ${ctx.actor.id}`}
    ${STATUS_FILTER[status]}
    ${aspectRatio === 'all' ? empty : sql`and videos.aspect_ratio = ${aspectRatio}::aspect_ratio`}
    ${createdOn(query, ctx.settings.timeZone)}
    ${inOrder === undefined ? empty : sql`and videos.batch_id = ${inOrder}`}
    ${search === '' ? empty : sql`and ${found}`}
    ${isAll && user !== null ? sql`and videos.user_id = ${user}` : empty}
    ${isAll && words !== '' ? sql`and ${hasWords(words)}` : empty}`
}

const NEWEST_FIRST = sql`order by videos.created_at desc, videos.id desc`
const OLDEST_FIRST = sql`order by videos.created_at, videos.id`
const FIRST_PROMPT_FIRST = sql`order by videos.batch_position, videos.id`

const orderOf = ({ inOrder }: GalleryListQuery): Sql =>
  inOrder === undefined ? NEWEST_FIRST : FIRST_PROMPT_FIRST

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

/**
 * Builds the statement for a page in the given shape and order. Owners are joined only to the rows
 * of the page, not to the skipped ones.
 */
function page(
  ctx: UserCtx,
  query: GalleryListQuery,
  { shape, total }: { shape: Sql; total?: number },
): Sql {
  return sql`
    select ${shape} as video from (
      select * from videos where ${matching(ctx, query)} ${placeOf(query, total)}) as videos
    ${OWNER} ${orderOf(query)}`
}

const OWNER = sql`join users on users.id = videos.user_id`

/**
 * Returns one page of the user's own videos, newest first, as JSON text of an array, with its
 * pagination and the gallery's version. The list and the version are read in one statement, so they
 * are consistent. Throws NOT_FOUND.
 */
export async function listVideosJson(
  ctx: UserCtx,
  query: VideoListQuery,
): Promise<{ json: string; pagination: Pagination; version: number }> {
  const statement = sql`
    select ${countColumns}, ${arrayOf(page(ctx, query, { shape: videoJson }))} as json
    from galleries where galleries.user_id = ${ctx.actor.id}`
  const [row, searched] = await Promise.all([
    ctx.db.row<CountRow & { version: number; json: string }>(statement),
    isSought(query) ? countVideos(ctx, query) : null,
  ])
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  const pagination = searched ?? paginationOf(query, countFor(toCounts(row), query))
  return { json: row.json, pagination, version: row.version }
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
export type CardsPage = { videos: CardView[]; pagination: Pagination }

/**
 * Lists a page of the cards of the user's own videos that match the filters. A page beyond the last
 * one is the last one.
 */
export async function listCards(ctx: UserCtx, query: GalleryListQuery): Promise<CardsPage> {
  if (isSought(query)) return findCards(ctx, query)
  const pagination = await countVideos(ctx, query)
  const shown = { ...pagination, page: Math.min(query.page, pagination.totalPages) }
  const statement = page(
    ctx,
    { ...query, page: shown.page },
    { shape: cardJson, total: shown.totalCount },
  )
  const rows = await ctx.db.rows<{ video: CardView }>(statement)
  return { videos: rows.map(({ video }) => video), pagination: shown }
}

/** The same for filters that need the videos themselves, which are read once. */
async function findCards(ctx: UserCtx, query: GalleryListQuery): Promise<CardsPage> {
  const { limit } = query
  const { total, videos } = await ctx.db.one<{ total: number; videos: CardView[] }>(sql`
    with found as materialized (select * from videos where ${matching(ctx, query)}),
      known as (select count(*)::int as total from found),
      shown as (
        select * from found as videos ${orderOf(query)} limit ${limit}
        offset (select greatest(0, least(${(query.page - 1) * limit}::bigint, (total - 1) / ${limit}::int * ${limit}::int)) from known))
    select total, coalesce((
      select json_agg(video) from (
        select ${cardJson} as video from shown as videos ${OWNER} ${orderOf(query)}) as listed), '[]') as videos
    from known`)
  const pagination = paginationOf(query, total)
  return {
    videos,
    pagination: { ...pagination, page: Math.min(query.page, pagination.totalPages) },
  }
}

/**
 * Counts the user's own videos that match the query's filters, from the stored counters of their
 * gallery if these know.
 */
async function countVideos(ctx: UserCtx, query: GalleryListQuery): Promise<Pagination> {
  const { status, aspectRatio } = query
  const counted = sql`
    select coalesce(sum(${COUNT_OF[status][aspectRatio]}), 0)::int as count from galleries
    where user_id = ${ctx.actor.id}`
  const searched = sql`select count(*)::int as count from videos where ${matching(ctx, query)}`
  const { count } = await ctx.db.one<{ count: number }>(isSought(query) ? searched : counted)
  return paginationOf(query, count)
}
