import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { AdminCtx, UserCtx } from '../../context'
import { AppError } from '../../errors'
import { COUNT_OF } from './count-of.server'
import { countColumns, toCounts, type CountRow } from './counts.server'
import { likePart, ofLivingOwner, ownerNamed } from '../owners.server'
import { STATUS_FILTER } from '../queries.server'
import { countFor, PAGE_SIZES } from '../rules'
import type { VideoListQuery } from '../schemas'
import type { CardView, Pagination } from '../types'
import { arrayOf, cardJson, videoJson } from '../video-json.server'

/** An administrator's list is everybody's unless they ask for their own (decision Q-24). */
export const isEverybodys = (
  ctx: UserCtx,
  { scope }: Pick<VideoListQuery, 'scope'>,
): ctx is AdminCtx => ctx.actor.role === 'admin' && scope !== 'mine'

/** A list that a gallery asks for: it may be of one batch, in the order of its prompts. */
export type GalleryListQuery = VideoListQuery & { inOrder?: string | undefined }

/** What the query's filters find, as a condition on `videos` joined to `users`. */
export function matching(ctx: UserCtx, query: GalleryListQuery): Sql {
  const { status, aspectRatio, search, inOrder } = query
  const isAll = isEverybodys(ctx, query)
  // Everybody's videos are searched by their owner's name, one's own by their prompts.
  const found = isAll
    ? sql`videos.user_id in (select id from users where ${ownerNamed(search)})`
    : sql`videos.prompt ilike ${likePart(search)}`
  return sql`videos.deleted_at is null
    and ${isAll ? ofLivingOwner(sql`videos.user_id`) : sql`videos.user_id = ${ctx.actor.id}`}
    ${STATUS_FILTER[status]}
    ${aspectRatio === 'all' ? empty : sql`and videos.aspect_ratio = ${aspectRatio}::aspect_ratio`}
    ${inOrder === undefined ? empty : sql`and videos.batch_id = ${inOrder}`}
    ${search === '' ? empty : sql`and ${found}`}`
}

const NEWEST_FIRST = sql`order by videos.created_at desc, videos.id desc`
const OLDEST_FIRST = sql`order by videos.created_at, videos.id`
const FIRST_PROMPT_FIRST = sql`order by videos.batch_position, videos.id`

const orderOf = ({ inOrder }: GalleryListQuery): Sql =>
  inOrder === undefined ? NEWEST_FIRST : FIRST_PROMPT_FIRST

/** A first page of a usual size, not searched: nearly every list asked for, and always the same text. */
const isUsual = ({ page: number, limit, search, inOrder }: GalleryListQuery): boolean =>
  number === 1 &&
  search === '' &&
  inOrder === undefined &&
  (limit === PAGE_SIZES.narrow || limit === PAGE_SIZES.wide)

/** Which rows a page holds; where the total is known, the far half is skipped from the other end. */
function placeOf(query: GalleryListQuery, total: number | undefined): Sql {
  const { limit } = query
  // The number itself, one of two: with a placeholder the planner has to guess how few rows it is.
  if (isUsual(query)) return sql`${NEWEST_FIRST} limit ${raw(String(limit))}`
  const skipped = (query.page - 1) * limit
  const isFar = total !== undefined && skipped > total / 2 && query.inOrder === undefined
  return isFar
    ? sql`${OLDEST_FIRST} limit ${Math.max(0, Math.min(limit, total - skipped))}
        offset ${Math.max(0, total - skipped - limit)}`
    : sql`${orderOf(query)} limit ${limit} offset ${skipped}`
}

/**
 * A page in the given shape, in its order. Owners are joined to what the page holds, not to what it
 * skips.
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
 * One page of the user's own, newest first, as JSON text of an array, where it stands, and the
 * gallery's version that it shows. One statement: what it answers belongs together. Throws NOT_FOUND.
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
    query.search === '' ? null : countVideos(ctx, query),
  ])
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  const pagination = searched ?? paginationOf(query, countFor(toCounts(row), query))
  return { json: row.json, pagination, version: row.version }
}

const paginationOf = ({ page: number, limit }: VideoListQuery, totalCount: number): Pagination => ({
  page: number,
  limit,
  totalCount,
  totalPages: Math.max(1, Math.ceil(totalCount / limit)),
})

/** One page of a gallery's cards, of so many that the filters find. */
export async function listCards(
  ctx: UserCtx,
  query: GalleryListQuery,
  total: number,
): Promise<CardView[]> {
  const rows = await ctx.db.rows<{ video: CardView }>(page(ctx, query, { shape: cardJson, total }))
  return rows.map(({ video }) => video)
}

/**
 * How many videos the query's filters find, from the counts kept beside each gallery; only a search
 * and a batch have to be counted.
 */
export async function countVideos(ctx: UserCtx, query: GalleryListQuery): Promise<Pagination> {
  const { status, aspectRatio } = query
  const counted = sql`
    select coalesce(sum(${COUNT_OF[status][aspectRatio]}), 0)::int as count from galleries
    where ${isEverybodys(ctx, query) ? ofLivingOwner(sql`user_id`) : sql`user_id = ${ctx.actor.id}`}`
  const searched = sql`select count(*)::int as count from videos where ${matching(ctx, query)}`
  const isKept = query.search === '' && query.inOrder === undefined
  const row = await ctx.db.row<{ count: number }>(isKept ? counted : searched)
  return paginationOf(query, row?.count ?? 0)
}
