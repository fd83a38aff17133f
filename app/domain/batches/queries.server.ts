import sql, { empty, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { ACTIVE } from '../videos/engine/attempts.server'
import { isInBatch, placeInBatch } from '../videos/batch-members.server'
import { countHeld } from '../videos/gallery/progress.server'
import { byId, inLineAt, lineFor, readLine, type LineTimes } from './batches-in-line.server'
import { CARRIED_COLUMNS, splitCarried, type CarriedRow } from './carried.server'
import { CELL } from './cells.server'
import { estimateFinish } from './estimate.server'
import { batchName } from './names'
import { isBefore } from './place-in-list.server'
import { IS_PAUSED } from './round-conditions.server'
import { BATCH_LIMITS } from './rules'
import type { BatchFailure, BatchProgress, BatchView } from './types'

/** Maximum number of batches in a list. */
const LIST_LENGTH = 50

type Row = Omit<
  BatchView,
  'name' | 'nextRoundAt' | 'carried' | 'inLine' | 'finishEstimate' | 'createdAt'
> &
  CarriedRow & {
    name: string | null
    cancelledVideos: number
    nextRoundAt: Date | null
    createdAt: Date
    waiting: number
  }

const rows = (where: Sql) => sql`
  select id, name, kind, status, total_videos as "totalVideos", completed_videos as "completedVideos",
    failed_videos as "failedVideos", cancelled_videos as "cancelledVideos", speed_limit as "speedLimit",
    delay_seconds as "delaySeconds", next_round_at as "nextRoundAt", ${IS_PAUSED} as "isPaused", created_at as "createdAt", ${CARRIED_COLUMNS},
    case when status = 'processing' then (
      select count(*)::int from videos where batch_id = batches.id and awaits_round) else 0 end as waiting
  from batches where ${where} order by created_at desc, id desc limit ${LIST_LENGTH}`

/**
 * Lists the actor's own batches, newest first, or those before one of them. If `before` names none,
 * there are none before it.
 */
export async function listBatches(
  ctx: UserCtx,
  before: string | null = null,
): Promise<BatchView[]> {
  const beyond = before === null ? empty : sql`and ${await isBefore(ctx, before)}`
  const found = await ctx.db.rows<Row>(rows(sql`user_id = ${ctx.actor.id} ${beyond}`))
  const line = await lineFor(ctx, found)
  return Promise.all(found.map((row) => toView(ctx, row, line)))
}

/** Returns one of the actor's own batches. Throws NOT_FOUND. */
export async function getBatch(ctx: UserCtx, id: string): Promise<BatchView> {
  const [row] = isId(id)
    ? await ctx.db.rows<Row>(rows(sql`id = ${id} and user_id = ${ctx.actor.id}`))
    : []
  if (!row) throw new AppError('NOT_FOUND', 'This batch does not exist')
  return toView(ctx, row, await lineFor(ctx, [row]))
}

/** How long a finished batch is still shown when no batch was requested by id. */
const SHOWN_FOR = sql`interval '15 minutes'`

/**
 * Returns the batch that the create screen shows: the running one, otherwise the requested one, or,
 * if none was requested, one that ended less than SHOWN_FOR ago. Returns null if there is none.
 * `known` is the batch whose sheet the page has.
 */
export async function findBatchProgress(
  ctx: UserCtx,
  named: string | null,
  known: string | null = null,
): Promise<BatchProgress | null> {
  const wanted = named !== null && isId(named) ? named : null
  const [row] = await ctx.db.rows<Row & Counts>(sql`
    select shown.*,
      exists (select 1 from batches where user_id = ${ctx.actor.id} and line_place is not null) as "hasLine",
      (select count(*)::int from line_entries where batch_id = shown.id) as next,
      (select count(*)::int from attempts where batch_id = shown.id and not late
        and state in (${ACTIVE})) as sent,
      (${countHeld(ctx, sql`batch_id = shown.id`)}) as held
    from (${rows(sql`user_id = ${ctx.actor.id} and kind <> 'regeneration' and (
      status = 'processing' or id = ${wanted} or (
        ${wanted}::uuid is null and finished_at > engine_now() - ${SHOWN_FOR}))`)}) as shown
    order by status = 'processing' desc, "createdAt" desc limit 1`)
  if (!row) return null
  const { next, sent, held, hasLine, ...found } = row
  const inLine = hasLine ? await readLine(ctx, ctx.db) : []
  const [batch, cells, failures] = await Promise.all([
    toView(ctx, found, byId(inLine)),
    readCells(ctx, { ...found, isKnown: found.id === known }),
    ctx.db.rows<BatchFailure>(sql`
      select coalesce(error_code, 'unknown') as "errorCode", count(*)::int as videos from videos
      where ${isInBatch(sql`${row.id}::uuid`)} and status = 'error' and deleted_at is null
      group by 1 order by 2 desc, 1`),
  ])
  return { batch, moving: next + sent, sent, held, inLine, failures, ...cells }
}

type Counts = { next: number; sent: number; held: number; hasLine: boolean }

type Cells = Pick<BatchProgress, 'cells' | 'sheet'>

/** Characters of a prompt in a sheet: enough to recognise it. */
const SHEET_CHARACTERS = 80

/**
 * Reads the state of each prompt of a batch and, unless the page knows it, what the states are of, in
 * one statement. A batch with more prompts than are shown has neither.
 */
async function readCells(
  { db }: UserCtx,
  { id, totalVideos, isKnown }: Pick<Row, 'id' | 'totalVideos'> & { isKnown: boolean },
): Promise<Cells> {
  if (totalVideos > BATCH_LIMITS.prompts) return { cells: '', sheet: null }
  const batch = sql`${id}::uuid`
  return db.one<Cells>(sql`
    select coalesce(string_agg(case when carried.id is null then ${CELL} else 'w' end, '' order by nth), '') as cells,
      case when not ${isKnown}::boolean then json_build_object(
        'isWide', coalesce(bool_and(coalesce(videos.aspect_ratio, carried.aspect_ratio) = 'landscape'), false),
        'frames', json_agg(json_build_object('id', coalesce(videos.id, carried.id), 'prompt',
          coalesce(left(coalesce(videos.clip_name, carried.clip_name, videos.prompt, carried.prompt),
            ${SHEET_CHARACTERS}::int), '')) order by nth)
      ) end as sheet
    from generate_series(1, ${totalVideos}::int) as nth
    left join videos on ${isInBatch(batch)} and ${placeInBatch(batch)} = nth and deleted_at is null
    left join carried_prompts as carried on carried.batch_id = ${batch} and carried.position = nth`)
}

/**
 * Returns the id of the video at a position (from 1) of one of the actor's batches, or null if
 * there is none or it was deleted.
 */
export async function findInBatch(
  { db, actor }: UserCtx,
  { batchId, place }: { batchId: string; place: number },
): Promise<string | null> {
  if (!isId(batchId) || place < 1 || place > BATCH_LIMITS.prompts) return null
  const batch = sql`${batchId}`
  const found = await db.row<{ id: string }>(sql`
    select id from videos where ${isInBatch(batch)} and ${placeInBatch(batch)} = ${place}
      and user_id = ${actor.id} and deleted_at is null`)
  return found?.id ?? null
}

async function toView(ctx: UserCtx, row: Row, line: LineTimes): Promise<BatchView> {
  const [
    carried,
    place,
    { cancelledVideos, failedVideos, waiting, nextRoundAt, createdAt, ...batch },
  ] = splitCarried(row)
  const ended = batch.completedVideos + failedVideos + cancelledVideos + (carried?.prompts ?? 0)
  const moving = batch.status === 'processing' ? batch.totalVideos - ended - waiting : 0
  const remaining = { ...batch, waiting, moving, nextRoundAt, carried, userId: ctx.actor.id }
  const isStill = batch.isPaused || place !== null
  const finish = isStill ? null : await estimateFinish(ctx, ctx.db, remaining)
  const named = { ...batch, createdAt: createdAt.toISOString() }
  return {
    ...named,
    name: batchName(named, ctx.settings.timeZone),
    failedVideos: failedVideos + cancelledVideos,
    carried,
    inLine: inLineAt(place, line.get(batch.id)),
    nextRoundAt: nextRoundAt?.toISOString() ?? null,
    finishEstimate: line.get(batch.id)?.finishEstimate ?? finish?.toISOString() ?? null,
  }
}
