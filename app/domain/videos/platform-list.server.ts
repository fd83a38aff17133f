import sql, { empty, type Sql } from 'sql-template-tag'
import type { AdminCtx } from '../context'

import { ownerNamed } from './owners.server'
import { PLATFORM_PAGE_SIZE, type Cursor, type PlatformQuery } from './platform-schemas'
import { COUNT_OF } from './count-of.server'
import { STATUS_FILTER } from './queries.server'
import type { Pagination, VideoPage, VideoView } from './types'
import { videoJson } from './video-json.server'

const NEWEST_FIRST = sql`created_at desc, id desc`
const OLDEST_FIRST = sql`created_at, id`

/**
 * Below this share of the platform's videos the searched users' galleries are merged; above it,
 * everybody's gallery is walked and what is not theirs passed over.
 */
const RARE_SHARE = 0.02

/**
 * A page of everybody's videos, newest first. It costs the same however many there are: a page is
 * found from its neighbour (`after`, `before`) or from the nearer end, never by counting through,
 * and the totals come from the counts kept beside each gallery.
 */
export async function listPlatformVideos(ctx: AdminCtx, query: PlatformQuery): Promise<VideoPage> {
  const { matched, platform } = await countMatches(ctx, query)
  const totalPages = Math.max(1, Math.ceil(matched / PLATFORM_PAGE_SIZE))
  const page = Math.min(query.page, totalPages)
  const pagination: Pagination = {
    page,
    limit: PLATFORM_PAGE_SIZE,
    totalPages,
    totalCount: matched,
  }
  const isRare = query.search !== '' && matched < platform * RARE_SHARE
  const ids = pick(query, { window: windowOf(query, pagination), isRare })
  const rows = await ctx.db.rows<{ video: VideoView }>(sql`
    select ${videoJson} as video from (${ids}) as chosen
      join videos on videos.id = chosen.id join users on users.id = videos.user_id
    order by videos.created_at desc, videos.id desc`)
  return { videos: rows.map(({ video }) => video), pagination }
}

type Counts = { matched: number; platform: number }

/** How many videos the filters find, and how many there are. */
async function countMatches({ db }: AdminCtx, query: PlatformQuery): Promise<Counts> {
  const { status, aspectRatio, search, user } = query
  const found = COUNT_OF[status][aspectRatio]
  const whose =
    user === null && search === ''
      ? sql`true`
      : sql`user_id in (select id from users where ${ownerNamed(search)}
          and ${user === null ? sql`true` : sql`id = ${user}`})`
  const row = await db.row<Counts>(sql`
    select coalesce(sum(${found}) filter (where ${whose}), 0)::int as matched,
      coalesce(sum(${found}), 0)::int as platform
    from galleries`)
  return row ?? { matched: 0, platform: 0 }
}

/** Which rows a page holds: those beside a known video, or so many from one end. */
type Window =
  | { from: 'after' | 'before'; cursor: Cursor; limit: number }
  | { from: 'start' | 'end'; offset: number; limit: number }

function windowOf(
  { after, before }: PlatformQuery,
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

function pick(query: PlatformQuery, { window, isRare }: { window: Window; isRare: boolean }): Sql {
  const { search, user } = query
  const order = window.from === 'start' || window.from === 'after' ? NEWEST_FIRST : OLDEST_FIRST
  const offset = 'offset' in window ? window.offset : 0
  const matches = sql`deleted_at is null ${STATUS_FILTER[query.status]} ${ratio(query)} ${beyond(window)}`
  const ends = sql`order by ${order} limit ${window.limit} offset ${offset}`
  if (user !== null) {
    return sql`select id from videos where user_id = ${user} and ${matches} ${ends}`
  }
  if (search === '') return sql`select id from videos where ${matches} ${ends}`
  if (isRare) {
    return sql`select theirs.id from (select id as owner from users where ${ownerNamed(search)}) as named
      cross join lateral (
        select id, created_at from videos where user_id = owner and ${matches}
        order by ${order} limit ${window.limit + offset}) as theirs
      order by ${order} limit ${window.limit} offset ${offset}`
  }
  return sql`select id from videos where ${matches}
    and exists (select 1 from users where users.id = videos.user_id and ${ownerNamed(search)}) ${ends}`
}

const ratio = ({ aspectRatio }: PlatformQuery): Sql =>
  aspectRatio === 'all' ? empty : sql`and aspect_ratio = ${aspectRatio}::aspect_ratio`

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
