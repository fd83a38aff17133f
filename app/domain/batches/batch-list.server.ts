import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isInBatch, placeInBatch } from '../videos/batch-members.server'
import { isoText } from '../iso-text.server'
import { VIDEO_LIMITS } from '../videos/rules'
import { IS_CANCELLED, IS_FAILED, IS_WAITING_PROMPT } from '../videos/states.server'
import type { BatchHead } from '../videos/types'
import { EXCERPT, inLineAt, lineFor, type LineTimes } from './batches-in-line.server'
import { CARRIED_COLUMNS, splitCarried, type CarriedRow } from './carried.server'
import { CELL } from './cells.server'
import { batchName } from './names'
import { BATCH_LIMITS } from './rules'
import { isBefore } from './place-in-list.server'
import { getBatch } from './queries.server'
import { IS_PAUSED } from './round-conditions.server'
import type {
  BatchKind,
  BatchStatus,
  BatchSummary,
  BatchVideo,
  Carried,
  ListedBatch,
} from './types'

/** Batches per page of the list. */
const PAGE = 20
/** Posters per batch. */
const POSTERS = 5

type Row = Omit<BatchSummary, 'name' | 'gone' | 'carried' | 'inLine' | 'createdAt' | 'finishedAt'> &
  CarriedRow & {
    name: string | null
    kind: BatchKind
    status: BatchStatus
    createdAt: Date
    finishedAt: Date | null
  }

/** Only a batch that left the line costs a look at it. */
const BACK_IN_LINE = sql`case when left_before is not null then case when (
  select count(*) from batches as other where other.user_id = batches.user_id and other.line_place is not null
  ) < ${BATCH_LIMITS.inLine}::int then 'free' else 'full' end end`

/**
 * Batches with the present states of their videos. What is read is bounded by the batches of a page
 * and their videos, which indexes find, however long the tables are.
 */
const summaries = (which: Sql): Sql => sql`
  select page.id, page.name, page.kind, page.status, page.total_videos as "totalVideos",
    page.charged_units as "chargedUnits", page.created_at as "createdAt",
    page.finished_at as "finishedAt", page."isPaused", page."backInLine",
    page.place, page."carriedPrompts", page."carriesAt", page."daysRun", page."dayLimit", page."planEnd", page."isStopped", present.*
  from (select batches.*, ${IS_PAUSED} as "isPaused", ${BACK_IN_LINE} as "backInLine",
    ${CARRIED_COLUMNS} from batches where ${which}) as page
  cross join lateral (
    select count(*) filter (where videos.status = 'completed')::int as ready,
      count(*) filter (where videos.status in ('pending', 'generating'))::int as "inProgress",
      count(*) filter (where videos.status = 'pending')::int as waiting,
      count(*) filter (where ${IS_FAILED})::int as failed,
      count(*) filter (where ${IS_CANCELLED})::int as cancelled,
      coalesce((array_agg(videos.id order by ${placeInBatch(sql`page.id`)})
        filter (where poster_key is not null))[1:${POSTERS}::int], '{}') as posters
    from videos where ${isInBatch(sql`page.id`)} and videos.user_id = page.user_id and deleted_at is null
  ) as present
  order by page.created_at desc, page.id desc`

/** An administrator's regenerations are not among them: they are of other users' videos. */
const own = ({ actor }: UserCtx): Sql => sql`user_id = ${actor.id} and kind <> 'regeneration'`

function toSummary({ settings }: UserCtx, row: Row, line: LineTimes): BatchSummary {
  const [carried, place, { createdAt, finishedAt, ...rest }] = splitCarried(row)
  const { ready, inProgress, failed, cancelled, totalVideos } = rest
  const named = { ...rest, createdAt: createdAt.toISOString() }
  return {
    ...named,
    name: batchName(named, settings.timeZone),
    carried,
    inLine: inLineAt(place, line.get(row.id)),
    finishedAt: finishedAt?.toISOString() ?? null,
    gone: Math.max(
      0,
      totalVideos - ready - inProgress - failed - cancelled - (carried?.prompts ?? 0),
    ),
  }
}

type BatchPage = {
  batches: ListedBatch[]
  /** The last batch of the page if others follow it, else null. */
  next: string | null
}

/**
 * Lists a page of the actor's batches, newest first, those in line after what runs and in the order in
 * which they start. `before` is the `next` of the page before. No batch comes before one that is not theirs.
 */
export async function listBatchPage(ctx: UserCtx, before: string | null): Promise<BatchPage> {
  const beyond = before === null ? empty : sql`and ${await isBefore(ctx, before)}`
  const rows = await ctx.db.rows<Row>(
    summaries(sql`${own(ctx)} ${beyond} order by created_at desc, id desc limit ${PAGE + 1}`),
  )
  const line = await lineFor(ctx, rows)
  const shown = rows.slice(0, PAGE)
  const firsts = await readFirstPrompts(
    ctx,
    shown.filter(({ posters }) => posters.length === 0).map(({ id }) => id),
  )
  const batches = shown.map((row) => ({
    ...toSummary(ctx, row, line),
    firstPrompt: firsts.get(row.id) ?? null,
  }))
  const next = rows.length > PAGE ? (batches.at(-1)?.id ?? null) : null
  // The sort is stable, so what has ended stays newest first.
  return { batches: batches.sort((one, other) => turn(one) - turn(other)), next }
}

/** What runs comes first, then the line, then the rest. */
const turn = ({ status, inLine }: BatchSummary): number =>
  status === 'processing' ? 0 : (inLine?.place ?? Number.MAX_SAFE_INTEGER)

/** Returns the start of the first prompt of the actor's batches, by their ids. */
async function readFirstPrompts(
  { db, actor }: UserCtx,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: string; prompt: string | null }>(sql`
    select page.id, left(coalesce(
      (select prompt from videos where ${isInBatch(sql`page.id`)} and user_id = ${actor.id} and deleted_at is null
        order by ${placeInBatch(sql`page.id`)} limit 1),
      (select prompt from carried_prompts where batch_id = page.id order by position limit 1)), ${EXCERPT}::int) as prompt
    from unnest(${[...ids]}::uuid[]) as page(id)`)
  return new Map(rows.map(({ id, prompt }) => [id, prompt]))
}

/** For what says nothing of places in line. */
const NOBODY: LineTimes = new Map()

/** Returns those of the named batches that are the actor's own, for the strips above their cards. */
export async function listBatchHeads(ctx: UserCtx, ids: readonly string[]): Promise<BatchHead[]> {
  if (ids.length === 0) return []
  const which = sql`id = any(${[...ids]}::uuid[]) and ${own(ctx)}`
  const rows = await ctx.db.rows<Row>(summaries(which))
  return Promise.all(rows.map((row) => toHead(ctx, toSummary(ctx, row, NOBODY))))
}

async function toHead(ctx: UserCtx, batch: BatchSummary): Promise<BatchHead> {
  const isRunning = batch.status === 'processing'
  return {
    id: batch.id,
    name: batch.name,
    createdAt: batch.createdAt,
    isRunning,
    isPaused: batch.isPaused,
    finishEstimate: isRunning ? (await getBatch(ctx, batch.id)).finishEstimate : null,
    ready: batch.ready,
    inProgress: batch.inProgress,
    waiting: batch.waiting,
    carried: batch.carried?.prompts ?? 0,
    failed: batch.failed,
    cancelled: batch.cancelled,
    gone: batch.gone,
  }
}

/** How many of the newest batches are looked at for strips without a card. Older ones are among the batches. */
const RECENT = 20

/**
 * Lists the actor's batches that have work or prompts to put back, whatever cards they have: the running one,
 * and recent ones that are not older than a moment.
 */
export async function listOpenBatches(ctx: UserCtx, since: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(sql`
    select id from batches where ${own(ctx)} and status = 'processing'
    union select id from (
      select id from batches where ${own(ctx)} and created_at >= ${since}::timestamptz
      order by created_at desc limit ${RECENT}) as recent
    where exists (
      select 1 from videos where ${isInBatch(sql`recent.id`)} and videos.user_id = ${ctx.actor.id}
        and deleted_at is null and (${IS_WAITING_PROMPT} or ${IS_CANCELLED}))`)
  return rows.map(({ id }) => id)
}

/** Returns one of the actor's own batches. Throws NOT_FOUND. */
export async function getBatchSummary(ctx: UserCtx, id: string): Promise<BatchSummary> {
  const row = isId(id)
    ? await ctx.db.row<Row>(summaries(sql`id = ${id} and ${own(ctx)}`))
    : undefined
  if (!row) throw new AppError('NOT_FOUND', 'This batch does not exist')
  return toSummary(ctx, row, await lineFor(ctx, [row]))
}

/** A batch with prompts that wait for later days or in line. */
export type CarryingBatch = Pick<BatchSummary, 'id' | 'name' | 'isPaused'> & { carried: Carried }

/** Lists the actor's batches whose prompts will take units of the next days, the running one first. */
export async function listCarrying({ db, actor, settings }: UserCtx): Promise<CarryingBatch[]> {
  type Found = CarriedRow & Pick<Row, 'id' | 'name' | 'kind' | 'createdAt' | 'isPaused'>
  const rows = await db.rows<Found>(sql`
    select id, name, kind, created_at as "createdAt", ${IS_PAUSED} as "isPaused", ${CARRIED_COLUMNS}
    from batches where user_id = ${actor.id} and status in ('processing', 'queued')
      and (carries_at is not null or line_place is not null)
    order by line_place nulls first`)
  return rows.flatMap((row) => {
    const [carried, , { id, name, kind, createdAt, isPaused }] = splitCarried(row)
    const named = { name, kind, createdAt: createdAt.toISOString() }
    return carried ? [{ id, name: batchName(named, settings.timeZone), isPaused, carried }] : []
  })
}

/** Videos that a batch's page shows at once. Only retries of more than a hundred videos have more. */
const BATCH_VIDEOS = 200

/**
 * Lists the videos of one of the actor's own batches in the order of its prompts, at most
 * `BATCH_VIDEOS` of them.
 */
export const listBatchVideos = (ctx: UserCtx, batchId: string): Promise<BatchVideo[]> =>
  ctx.db.rows<BatchVideo>(sql`
    select id, ${placeInBatch(sql`${batchId}::uuid`)} as place,
      exists (select 1 from quota_charges where video_id = videos.id) as "hadUnit",
      clip_name as name, left(prompt, ${VIDEO_LIMITS.cardPromptCharacters}::int) as prompt, aspect_ratio as "aspectRatio",
      ${CELL} as cell, error_message as "errorMessage", error_code as "errorCode",
      poster_key is not null as "hasPoster", regenerate_count as "regenerateCount",
      ${isoText(sql`completed_at`)} as "completedAt"
    from videos where ${isInBatch(sql`${batchId}::uuid`)} and user_id = ${ctx.actor.id} and deleted_at is null
    order by place, id limit ${BATCH_VIDEOS}`)
