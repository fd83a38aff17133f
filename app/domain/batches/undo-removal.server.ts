import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { excerpt } from '~/lib/text'
import type { Tx } from '~/platform/db/port'
import { unitsOfClip } from '../accounts/columns.server'
import { findInGoodStanding, requireGoodStanding } from '../accounts/standing.server'
import { takeTrialUnits } from '../accounts/trial.server'
import type { UserCtx } from '../context'
import { endOfDay } from '../days.server'
import { AppError } from '../errors'
import { reserveUnits, writeCharges } from '../quota/charges.server'
import { LABEL_CHARACTERS } from '../quota/rules'
import type { ChargeReason } from '../quota/types'
import { lockGalleries } from '../videos/locks.server'
import { ORDER_COLUMNS } from '../videos/order-columns.server'
import { IS_CANCELLED } from '../videos/states.server'
import { LINE_IS_FULL } from './batches-in-line.server'
import { carryJob } from './carry-over.server'
import { roundJob } from './fire-round.server'
import { lockBatch, noSuchBatch } from './lock-batch.server'
import { getBatch } from './queries.server'
import { NEXT_ROUND_AT } from './round-conditions.server'
import { BATCH_LIMITS } from './rules'
import type { BatchView } from './types'

// What was removed is kept: a prompt as a cancelled video with its place and its pictures, a batch with its
// prompts. So an undo has no hurry: it is possible as long as the batch has not ended, or has not started.

/** Work that was accepted comes back also while the operator has paused new orders. */
const accountInOrder = async (ctx: UserCtx, tx: Tx) =>
  (await findInGoodStanding(tx, ctx.actor.id)) ?? (await requireGoodStanding(ctx, tx))

type Removed = {
  place: number
  prompt: string
  generation: number
  /** For what it had a unit. Null: it waited for a later day, or in line, and had none. */
  reason: ChargeReason | null
  /** How many units a clip of its batch uses. */
  each: number
}

export type BroughtBack = { batchId: string; place: number; hasUnit: boolean }

/**
 * Brings a removed prompt of one of the actor's own batches back to its place. One that had units takes as
 * many of today. Throws NOT_FOUND, CONFLICT if it was sent or is back or its batch has ended, and the errors
 * of accepting a video.
 */
export async function undoRemoval(ctx: UserCtx, videoId: string): Promise<BroughtBack> {
  return ctx.db.transaction(async (tx) => {
    const account = await accountInOrder(ctx, tx)
    const userId = account.id
    const id = isId(videoId) ? videoId : null
    const found = await tx.row<{ batchId: string }>(sql`
      select batch_id as "batchId" from videos
      where id = ${id} and user_id = ${userId} and deleted_at is null and batch_id is not null
      union all
      select batch_id from carried_prompts join batches on batches.id = batch_id
      where carried_prompts.id = ${id} and user_id = ${userId}`)
    if (!found) throw new AppError('NOT_FOUND', 'This prompt is not in this batch any more')
    const { batchId } = found
    const { kind } = await lockBatch(ctx, tx, batchId)
    if (kind === 'regeneration') throw noSuchBatch()
    const removed = await tx.row<Removed>(sql`
      select coalesce(batch_position, 1) as place, prompt, generation,
        (select reason from quota_charges where video_id = videos.id order by generation desc limit 1) as reason,
        (select ${unitsOfClip(sql`batches.clip_units`)} from batches join users on users.id = user_id
          where batches.id = ${batchId}) as each
      from videos where id = ${id} and batch_id = ${batchId} and deleted_at is null and ${IS_CANCELLED}`)
    if (!removed) throw await notRemoved(tx, videoId)
    const { place, prompt, reason, each } = removed
    if (reason === null) {
      await carryAgain(ctx, tx, { batchId, which: sql`id = ${id}` })
      return { batchId, place, hasUnit: false }
    }
    const request = { userId, limit: account.videoLimit, clips: 1, each }
    const reservation = await reserveUnits(tx, { ...request, timeZone: ctx.settings.timeZone })
    const generation = removed.generation + 1
    await awaitRoundAgain(ctx, tx, { batchId, videoId, generation })
    const label = excerpt(prompt, LABEL_CHARACTERS)
    const charges = [{ videoId, generation, label }]
    await writeCharges(tx, { userId, reason, each, charges }, reservation)
    await takeTrialUnits(ctx, tx, { network: account.trialNetwork, units: each })
    return { batchId, place, hasUnit: true }
  })
}

async function notRemoved(tx: Tx, id: string): Promise<AppError> {
  const waits = await tx.row(sql`
    select 1 from videos where id = ${id} and awaits_round
    union all select 1 from carried_prompts where id = ${id}`)
  return new AppError(
    'CONFLICT',
    waits ? 'This prompt is back already' : 'This prompt has been sent already',
  )
}

type Again = { batchId: string; videoId: string; generation: number }

/** A unit of a generation is settled once, so that the prompt begins another one, which is no retry. */
async function awaitRoundAgain(
  { provider, queue, requestId }: UserCtx,
  tx: Tx,
  { batchId, videoId, generation }: Again,
): Promise<void> {
  await tx.run(sql`
    update videos set status = 'pending', awaits_round = true, generation = ${generation}, error_code = null,
      error_message = null, model = ${provider.model}, request_id = ${requestId}
    where id = ${videoId}`)
  const { roundNo, waitMs } = await tx.one<{ roundNo: number; waitMs: number }>(sql`
    update batches set cancelled_videos = cancelled_videos - 1, next_round_at = coalesce(next_round_at, ${NEXT_ROUND_AT})
    where id = ${batchId}
    returning round_no as "roundNo", extract(epoch from next_round_at - engine_now())::float * 1000 as "waitMs"`)
  await queue.add(tx, [roundJob({ batchId, roundNo, requestId }, waitMs)])
}

/**
 * Turns cancelled videos that never had a unit into carried prompts again. If the batch carries no others,
 * they are looked at when the day ends on which they were removed. Returns how many there were.
 */
async function carryAgain(
  { queue, settings }: UserCtx,
  tx: Tx,
  { batchId, which }: { batchId: string; which: Sql },
): Promise<number> {
  const back = await tx.rows<{ removedAt: Date }>(sql`
    with back as (
      delete from videos where batch_id = ${batchId} and deleted_at is null and ${IS_CANCELLED} and ${which}
        and not exists (select 1 from quota_charges where video_id = videos.id)
      returning id, batch_position, prompt, ${ORDER_COLUMNS}, created_at
    ), carried as (
      insert into carried_prompts (id, batch_id, position, prompt, ${ORDER_COLUMNS})
      select id, ${batchId}, batch_position, prompt, ${ORDER_COLUMNS} from back
    )
    select created_at as "removedAt" from back`)
  const { timeZone } = settings
  const { carryMs } = await tx.one<{ carryMs: number | null }>(sql`
    update batches set cancelled_videos = cancelled_videos - ${back.length}::int,
      carries_at = case when status = 'processing' then coalesce(carries_at,
        ${endOfDay(sql`(${back[0]?.removedAt}::timestamptz at time zone ${timeZone})::date`, timeZone)}) end
    where id = ${batchId}
    returning extract(epoch from carries_at - engine_now())::float * 1000 as "carryMs"`)
  if (carryMs !== null) await queue.add(tx, [carryJob(batchId, carryMs)])
  return back.length
}

/**
 * Brings a batch that left the line back to its place there, with the prompts that were cancelled last, and
 * starts it if no batch is running. Throws NOT_FOUND, and CONFLICT if it is back or did not leave the line,
 * its prompts are gone, or the line is full.
 */
export async function undoLeaving(ctx: UserCtx, batchId: string): Promise<BatchView> {
  await ctx.db.transaction(async (tx) => {
    const { id: userId } = await accountInOrder(ctx, tx)
    await lockGalleries(tx, [userId])
    const batch = await tx.row<{ isOpen: boolean; hasLeft: boolean; inLine: number }>(sql`
      select status in ('queued', 'processing') as "isOpen", left_before is not null as "hasLeft",
        (select count(*)::int from batches where user_id = ${userId} and line_place is not null) as "inLine"
      from batches where id = ${isId(batchId) ? batchId : null} and user_id = ${userId} for update`)
    if (!batch) throw noSuchBatch()
    if (batch.isOpen) throw new AppError('CONFLICT', 'This batch is back already')
    if (!batch.hasLeft) throw new AppError('CONFLICT', 'This batch has started')
    if (batch.inLine >= BATCH_LIMITS.inLine) throw new AppError('CONFLICT', LINE_IS_FULL)
    await enterLineAgain(tx, { batchId, userId })
    // Those that had been removed before it left the line stay so.
    const which = sql`created_at = (select max(created_at) from videos where batch_id = ${batchId})`
    if ((await carryAgain(ctx, tx, { batchId, which })) === 0)
      throw new AppError('CONFLICT', 'The prompts of this batch were put back or deleted')
    await tx.run(sql`select move_up_line(${userId})`)
  })
  return getBatch(ctx, batchId)
}

/**
 * Gives a batch its place in line again: before the batch that followed it, or what followed that one if it
 * has left the line as well. What was added since stays behind it.
 */
async function enterLineAgain(
  tx: Tx,
  { batchId, userId }: { batchId: string; userId: string },
): Promise<void> {
  await tx.run(sql`
    with recursive behind as (
      select id, left_before, line_place from batches where id = ${batchId}
      union
      select later.id, later.left_before, later.line_place
      from behind join batches as later on later.id = behind.left_before
    ), found as materialized (
      select case when exists (select 1 from behind where left_before is null and line_place is null) then 1
        else coalesce((select max(line_place) from behind),
          (select min(added.line_place) from batches as added join batches as own on own.id = ${batchId}
            where added.user_id = ${userId} and added.created_at > own.finished_at),
          (select count(*) + 1 from batches where user_id = ${userId} and line_place is not null)) end as place
    )
    update batches set line_place = case when id = ${batchId} then place else line_place + 1 end,
      status = 'queued', left_before = null, finished_at = null
    from found
    where id = ${batchId} or (user_id = ${userId} and line_place >= place)`)
}
