import { figure } from '~/lib/figures'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import type { VideoChoice } from './choice'
import { addedToCollection, placesIn } from '../collection-members.server'
import { COLLECTION_LIMITS } from '../collections'
import { numberVideos } from '../file-names.server'
import { isEverybodys, matching } from './list.server'
import { ORDER_FIELDS } from '../order-columns.server'
import type { OrderFields, VideoStatus } from '../types'
import { isVisibleTo } from '../visibility.server'

/** Maximum number of videos per archive. */
const MOST = 10_000
/** Prompts read per statement: as many as a collection can have. */
const PROMPTS_AT_ONCE = COLLECTION_LIMITS.clips

export type ChosenPrompt = { prompt: string; owner: string | null }

/** The columns of a video that an archive needs. */
export type ChosenVideo = OrderFields & {
  id: string
  userId: string
  owner: string
  /** Its number in its owner's order (file-names.server.ts), or its place in the chosen collection. */
  number: number
  prompt: string
  status: VideoStatus
  errorMessage: string | null
  createdAt: Date
  completedAt: Date | null
  fileKey: string | null
  bytes: number | null
  sha256: string | null
  crc32: number | null
}

/**
 * Lists the chosen videos in the order of their prompts, oldest first, those of a collection in the order
 * of adding. Ids of other users' videos are ignored. Throws BAD_INPUT if there are more than an archive may contain.
 */
export async function listChosen(ctx: UserCtx, choice: VideoChoice): Promise<ChosenVideo[]> {
  const collection = collectionOf(choice)
  if (collection === undefined) await numberVideos(ctx, conditionOf(ctx, choice))
  // Unpacked files are sorted by their names: those of a collection are numbered in its own order.
  const numbered =
    collection === undefined ? sql`video_numbers` : placesIn(sql`${collection}::uuid`)
  const rows = await ctx.db.rows<ChosenVideo>(sql`
    select videos.id, videos.user_id as "userId", users.username as owner, numbered.number, prompt, ${ORDER_FIELDS}, status, error_message as "errorMessage", videos.created_at as "createdAt",
      completed_at as "completedAt", file_key as "fileKey", file_bytes as bytes,
      file_sha256 as sha256, file_crc32 as crc32
    from videos join users on users.id = videos.user_id
      join ${numbered} as numbered on numbered.video_id = videos.id
    where ${conditionOf(ctx, choice)}
    order by ${orderOf(choice)} limit ${MOST + 1}`)
  if (rows.length <= MOST) return rows
  throw new AppError(
    'BAD_INPUT',
    `One file holds at most ${figure(MOST)} videos. Choose fewer with the filters.`,
  )
}

/** Returns the name of the actor's own collection whose clips are chosen, or null. */
export async function findCollectionName(
  { db, actor }: UserCtx,
  choice: VideoChoice,
): Promise<string | null> {
  const id = collectionOf(choice)
  if (id === undefined) return null
  const found = await db.row<{ name: string }>(sql`
    select name from collections where id = ${id} and user_id = ${actor.id}`)
  return found?.name ?? null
}

export type Size = { count: number; bytes: number }

/** Returns how many of the chosen videos have a clip to download, and the size of these clips. */
export const measureChosen = (ctx: UserCtx, choice: VideoChoice): Promise<Size> =>
  ctx.db.one<Size>(sql`
    select count(*)::int as count, coalesce(sum(file_bytes), 0)::bigint as bytes
    from videos where ${conditionOf(ctx, choice)} and videos.status = 'completed'`)

/** Counts the starred ones of the chosen videos. */
export async function countStarredOf(ctx: UserCtx, choice: VideoChoice): Promise<number> {
  const { count } = await ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from videos where ${conditionOf(ctx, choice)} and videos.starred`)
  return count
}

/**
 * Returns the ids of the chosen videos that exist and that the actor may change, oldest first. Throws
 * BAD_INPUT if there are more than one action takes.
 */
export async function listChosenIds(ctx: UserCtx, choice: VideoChoice): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(sql`
    select videos.id from videos where ${conditionOf(ctx, choice)}
    order by videos.created_at, videos.id limit ${MOST + 1}`)
  if (rows.length <= MOST) return rows.map(({ id }) => id)
  throw new AppError('BAD_INPUT', `Select at most ${figure(MOST)} videos at once.`)
}

/**
 * Yields the prompts of the chosen videos in the order of `listChosen`, in chunks, so that memory use
 * does not depend on their number; for all users' videos with the names of their owners.
 */
export async function* readPrompts(
  ctx: UserCtx,
  choice: VideoChoice,
): AsyncGenerator<ChosenPrompt[]> {
  const isOthers = choice.kind !== 'selected' && isEverybodys(ctx, choice)
  for (let beyond = empty; ;) {
    const rows = await ctx.db.rows<{ id: string; prompt: string; owner: string; at: string }>(sql`
      select videos.id, prompt, users.username as owner, videos.created_at::text as at
      from videos join users on users.id = videos.user_id
      where ${conditionOf(ctx, choice)} ${beyond}
      order by ${orderOf(choice)} limit ${PROMPTS_AT_ONCE}`)
    yield rows.map(({ prompt, owner }) => ({ prompt, owner: isOthers ? owner : null }))
    const last = rows.at(-1)
    // A collection is one chunk: it has no more clips.
    if (!last || rows.length < PROMPTS_AT_ONCE || collectionOf(choice) !== undefined) return
    beyond = sql`and (videos.created_at, videos.id) > (${last.at}::timestamptz, ${last.id}::uuid)`
  }
}

const collectionOf = (choice: VideoChoice): string | undefined =>
  choice.kind === 'filtered' ? choice.collection : undefined

function orderOf(choice: VideoChoice): Sql {
  const collection = collectionOf(choice)
  return collection === undefined
    ? sql`videos.created_at, videos.id`
    : sql`${addedToCollection(sql`${collection}::uuid`)}, videos.id`
}

function conditionOf(ctx: UserCtx, choice: VideoChoice): Sql {
  if (choice.kind === 'selected') {
    return sql`videos.id = any(${choice.ids}::uuid[]) and ${isVisibleTo(ctx)}`
  }
  const filters =
    choice.kind === 'filtered'
      ? choice
      : ({ status: 'all', aspectRatio: 'all', search: '', words: '', user: null } as const)
  const query = { ...filters, scope: choice.scope, page: 1, limit: MOST }
  if (choice.kind === 'all' || choice.until === undefined) return matching(ctx, query)
  const { until, except = [] } = choice
  // What was ticked are cards.
  return sql`${matching(ctx, { ...query, asCards: true })} and videos.created_at <= ${until}::timestamptz
    and videos.id <> all(${except}::uuid[])`
}
