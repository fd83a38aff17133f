import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import { unitsOfClip } from '../accounts/columns.server'
import type { AccountInOrder } from '../accounts/standing.server'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { refuseUnits } from '../quota/charges.server'
import { getQuota } from '../quota/queries.server'
import { remainingClips } from '../quota/rules'
import { ACTIVE } from '../videos/engine/attempts.server'
import { readCarried } from './carried.server'
import { addCarried } from './carry-over.server'
import { estimateFinish } from './estimate.server'
import { withinPlan } from './later-days'
import { timesInLine } from './line-estimate'
import { batchName } from './names'
import { BATCH_LIMITS } from './rules'
import type { BatchReceipt, StartBatchInput } from './schemas'
import type { BatchInLine, BatchKind, InLine } from './types'

// All prompts of a batch in line are carried ones, so it has reserved nothing. `end_batch` starts it,
// and then the day on which it starts gives it units, like every further day.

/** Returns whether one of the user's batches is running. The caller has locked their gallery. */
export const hasRunningBatch = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.row(sql`
    select 1 from batches
    where user_id = ${userId} and status = 'processing' and kind <> 'regeneration'`)) !== undefined

/**
 * Returns how many prompts the batch has that started when the actor's running one ended, or null if none
 * did.
 */
export async function countStarted(
  { db, actor }: UserCtx,
  endedId: string,
): Promise<number | null> {
  const row = await db.row<{ prompts: number }>(sql`
    select total_videos - cancelled_videos as prompts from batches
    where user_id = ${actor.id} and status = 'processing' and kind <> 'regeneration' and id <> ${endedId}`)
  return row?.prompts ?? null
}

/**
 * Adds a batch to the end of the user's line. The caller has locked the user's gallery and seen that a
 * batch is running. Throws CONFLICT if the line is full, and QUOTA_EXCEEDED for an account without units.
 */
export async function addToLine(
  ctx: UserCtx,
  tx: Tx,
  { account, input }: { account: AccountInOrder; input: StartBatchInput },
): Promise<BatchReceipt> {
  const { id: userId, videoLimit: limit, clipUnits: each, speedLimit } = account
  const { videoGenerationSpeed: delaySeconds } = account
  const totalVideos = input.prompts.length
  const { timeZone } = ctx.settings
  if (limit < each) await refuseUnits(tx, { userId, limit, clips: totalVideos, each, timeZone })
  const { place } = await tx.one<{ place: number }>(sql`
    select count(*)::int + 1 as place from batches where user_id = ${userId} and line_place is not null`)
  if (place > BATCH_LIMITS.inLine) throw new AppError('CONFLICT', LINE_IS_FULL)
  const batchId = newId()
  await tx.run(sql`
    insert into batches (id, user_id, kind, status, line_place, total_videos, speed_limit, delay_seconds, route, created_at)
    values (${batchId}, ${userId}, 'bulk', 'queued', ${place}, ${totalVideos}, ${speedLimit}, ${delaySeconds}, ${account.route}, engine_now())`)
  await addCarried(tx, batchId, input)
  const own = (await readLine(ctx, tx)).find(({ id }) => id === batchId)
  return {
    batchId,
    totalVideos,
    speedLimit,
    delaySeconds,
    finishEstimate: own?.finishEstimate ?? null,
    carried: totalVideos,
    place,
    startEstimate: own?.startEstimate ?? null,
  }
}

/** What is said when no more batches may wait in line. */
export const LINE_IS_FULL = `At most ${BATCH_LIMITS.inLine} batches can wait in line. Wait until one has started, or cancel one.`

/** Characters of a prompt that tell its batch from others. */
export const EXCERPT = 80

/** A batch in line, and about when it ends. */
type Expected = BatchInLine & { finishEstimate: string | null }

type Waiting = Pick<BatchInLine, 'id' | 'place' | 'prompts' | 'firstPrompt'> & {
  name: string | null
  kind: BatchKind
  createdAt: Date
  limit: number
  clipUnits: number
  speedLimit: number
  delaySeconds: number
  planEnd: Date | null
}

/**
 * Returns the actor's batches in line, first ones first, with about when each starts and ends: null
 * while the running one is paused or the actor may not order, and for what the plan's end comes before.
 */
export async function readLine(ctx: UserCtx, db: Executor): Promise<Expected[]> {
  const waiting = await db.rows<Waiting>(sql`
    select batches.id, batches.name, kind, line_place as place, batches.created_at as "createdAt",
      video_limit as limit, ${unitsOfClip(sql`users.clip_units`)} as "clipUnits", users.speed_limit as "speedLimit", video_generation_speed as "delaySeconds",
      expiry_date as "planEnd",
      (select count(*)::int from carried_prompts where batch_id = batches.id) as prompts,
      (select left(prompt, ${EXCERPT}::int) from carried_prompts where batch_id = batches.id
        order by position limit 1) as "firstPrompt"
    from batches join users on users.id = user_id
    where user_id = ${ctx.actor.id} and line_place is not null order by line_place`)
  const [first] = waiting
  if (!first) return []
  const times = await readTimes(ctx, db, { waiting, ...first })
  const timeOf = (at: Date | undefined) =>
    withinPlan(at ?? null, first.planEnd)?.toISOString() ?? null
  return waiting.map(({ id, place, prompts, firstPrompt, kind, createdAt, ...row }, index) => {
    const named = { name: row.name, kind, createdAt: createdAt.toISOString() }
    return {
      id,
      name: batchName(named, ctx.settings.timeZone),
      createdAt: named.createdAt,
      place,
      prompts,
      firstPrompt,
      startEstimate: timeOf(times?.[index]?.startsAt),
      finishEstimate: timeOf(times?.[index]?.endsAt),
    }
  })
}

type Running = {
  id: string
  speedLimit: number
  delaySeconds: number
  nextRoundAt: Date | null
  waiting: number
  moving: number
}

type Line = { waiting: readonly Waiting[] } & Pick<
  Waiting,
  'limit' | 'clipUnits' | 'speedLimit' | 'delaySeconds'
>

/** Returns the times of a line, at the account's present pace, or null if they are not known. */
async function readTimes(ctx: UserCtx, db: Executor, { waiting, limit, clipUnits, ...pace }: Line) {
  const userId = ctx.actor.id
  const running = await db.row<Running>(sql`
    select id, speed_limit as "speedLimit", delay_seconds as "delaySeconds", next_round_at as "nextRoundAt",
      (select count(*)::int from videos where batch_id = batches.id and awaits_round) as waiting,
      ((select count(*) from line_entries where batch_id = batches.id)
        + (select count(*) from attempts where batch_id = batches.id and not late
          and state in (${ACTIVE})))::int as moving
    from batches
    where user_id = ${userId} and status = 'processing' and kind <> 'regeneration' and paused_at is null`)
  const carried = running ? await readCarried(db, running.id) : null
  const endsAt = running && (await estimateFinish(ctx, db, { ...running, carried, userId }))
  if (!endsAt) return null
  const { timeZone } = ctx.settings
  const { remaining, resetsAt } = await getQuota(db, { userId, limit, timeZone })
  return timesInLine({
    waiting: waiting.map(({ prompts }) => prompts),
    endsAt,
    carried: carried?.prompts ?? 0,
    limit: remainingClips(limit, clipUnits),
    remaining,
    resetsAt: new Date(resetsAt),
    pace,
    videoMs: ctx.provider.can.expectedMs,
  })
}

/** What is expected of batches in line, by their ids. */
export type LineTimes = ReadonlyMap<string, Expected>

/** Returns a line by the ids of its batches. */
export const byId = (line: readonly Expected[]): LineTimes =>
  new Map(line.map((batch) => [batch.id, batch]))

/** Reads the line if one of the rows has a place there. */
export const lineFor = async (
  ctx: UserCtx,
  rows: readonly { place: number | null }[],
): Promise<LineTimes> =>
  byId(rows.some(({ place }) => place !== null) ? await readLine(ctx, ctx.db) : [])

/** Returns a batch's place in line as its views have it. */
export const inLineAt = (place: number | null, expected?: BatchInLine): InLine | null =>
  place === null ? null : { place, startEstimate: expected?.startEstimate ?? null }
