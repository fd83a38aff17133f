import sql from 'sql-template-tag'
import { minutes } from '~/lib/time'
import type { Executor, Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import { settleCharges } from '../../quota/charges.server'
import { tallyInBatch } from '../batch-tally.server'
import { admitWaiting } from '../line.server'
import { lockOwners } from '../locks.server'
import { FAILURE_TEXT } from '../rules'
import type { FailureClass } from '../types'
import { writeAttempt } from './attempts.server'
import type { EngineCtx, HeldAttempt } from './context'

export type StoredFile = {
  fileKey: string
  posterKey: string | null
  bytes: number
  sha256: string
  crc32: number
  durationMs: number
}

/** Delivers a stored clip: the video is completed and its unit charged, once. */
export async function completeAttempt(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  file: StoredFile,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await endAttempt(tx, attempt, 'done'))) return
    await lockOwner(tx, attempt)
    const replaced = await deliver(tx, attempt, file)
    // A video deleted or regenerated meanwhile does not take the clip; what it took before is replaced.
    const unused = replaced
      ? [replaced.fileKey, replaced.posterKey]
      : [file.fileKey, file.posterKey]
    const keys = unused.filter((key) => key !== null)
    if (keys.length > 0) await ctx.queue.add(tx, [{ name: 'videos.purge', payload: { keys } }])
    await settleCharges(tx, [attempt], 'charged')
    if (!attempt.late) {
      await tallyInBatch(tx, attempt.batchId, replaced ? { completed: 1 } : { cancelled: 1 })
    }
    await afterEnd(ctx, tx, attempt)
  })
}

async function deliver(tx: Tx, { videoId, generation }: HeldAttempt, file: StoredFile) {
  return tx.row<{ fileKey: string | null; posterKey: string | null }>(sql`
    with before as (
      select id, file_key, poster_key from videos
      where id = ${videoId} and generation = ${generation} and deleted_at is null for update
    )
    update videos set status = 'completed', error_code = null, error_message = null,
      completed_at = engine_now(), file_key = ${file.fileKey}, poster_key = ${file.posterKey},
      file_bytes = ${file.bytes}, file_sha256 = ${file.sha256}, file_crc32 = ${file.crc32},
      duration_ms = ${file.durationMs}
    from before where videos.id = before.id
    returning before.file_key as "fileKey", before.poster_key as "posterKey"`)
}

/** Ends a generation without a clip: the unit goes back, an earlier clip stays (decision Q-23). */
export async function failAttempt(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  as: FailureClass,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // A late one has been given up before; that it brought nothing is no news.
    if (!(await endAttempt(tx, attempt, 'failed')) || attempt.late) return
    await lockOwner(tx, attempt)
    await failGeneration(ctx, tx, { attempt, as })
    if (as === 'time-out' && attempt.ref !== null)
      await ctx.queue.add(tx, [lateCheck(ctx, attempt.id)])
  })
}

async function failGeneration(
  ctx: EngineCtx,
  tx: Tx,
  { attempt, as }: { attempt: HeldAttempt; as: FailureClass },
): Promise<void> {
  const text = FAILURE_TEXT[as]
  await tx.run(sql`
    update videos set error_code = ${as},
      status = (case when file_key is null then 'error' else 'completed' end)::video_status,
      error_message = case when file_key is null then ${text} else ${`Last regeneration failed: ${text}`} end
    where id = ${attempt.videoId} and generation = ${attempt.generation} and deleted_at is null`)
  await settleCharges(tx, [attempt], 'returned')
  await tallyInBatch(tx, attempt.batchId, as === 'cancelled' ? { cancelled: 1 } : { failed: 1 })
  await afterEnd(ctx, tx, attempt)
}

const LATE_CHECK_MS = minutes(10)

/** The job that looks once more, after a while, at an order that was given up: it may be paid for. */
export const lateCheck = ({ settings }: EngineCtx, attemptId: string): NewJob => ({
  name: 'videos.check-late',
  payload: { attemptId },
  delayMs: LATE_CHECK_MS * settings.providerTimeScale,
})

export type Requeue = {
  afterMs: number
  /** A failure counts against the video; a busy provider or a dead token does not. */
  endsAs: 'failed' | 'abandoned' | 'orphaned'
  reason: string
}

/**
 * Puts the video back into the line after an order that brought nothing. Work that was cancelled,
 * deleted or whose user was disabled meanwhile ends here: nothing new is sent for it.
 */
export async function requeueAttempt(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  { afterMs, endsAs, reason }: Requeue,
): Promise<void> {
  const { videoId, generation, batchId } = attempt
  await ctx.db.transaction(async (tx) => {
    if (!(await endAttempt(tx, attempt, endsAs))) return
    const isServed = await isActive(tx, attempt)
    await lockOwner(tx, attempt)
    const isWanted =
      isServed &&
      (await isNotCancelled(tx, attempt)) &&
      (await tx.run(sql`
        update videos set status = 'pending'
        where id = ${videoId} and generation = ${generation} and deleted_at is null`)) > 0
    if (!isWanted) return failGeneration(ctx, tx, { attempt, as: 'cancelled' })
    await tx.run(sql`
      insert into line_entries (video_id, generation, user_id, batch_id, lane, state, hold_reason, wake_at,
        entered_at)
      values (${videoId}, ${generation}, ${attempt.userId}, ${batchId}, ${attempt.lane}, 'held', ${reason},
        engine_now() + ${afterMs}::float * interval '1 millisecond', engine_now())`)
    await ctx.queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs: afterMs }])
  })
}

const lockOwner = (tx: Tx, { videoId }: HeldAttempt) => lockOwners(tx, sql`videos.id = ${videoId}`)

// Both lock what a disable or a cancel changes, so that neither can pass between look and write.

async function isActive(tx: Tx, { userId }: HeldAttempt): Promise<boolean> {
  const user = await tx.row(sql`
    select 1 from users where id = ${userId} and is_active and deleted_at is null for key share`)
  return user !== undefined
}

async function isNotCancelled(tx: Tx, { batchId }: HeldAttempt): Promise<boolean> {
  const batch = await tx.row<{ status: string }>(sql`
    select status from batches where id = ${batchId} for no key update`)
  return batch?.status !== 'cancelled'
}

/**
 * Writes off an order that may have been taken and was never found again: an orphan, which
 * administrators see. A generation may have one; after a second the video fails.
 */
export async function abandonOrder(ctx: EngineCtx, attempt: HeldAttempt): Promise<void> {
  const { videoId, generation } = attempt
  const earlier = await ctx.db.row(sql`
    select 1 from attempts
    where video_id = ${videoId} and generation = ${generation} and state = 'orphaned'`)
  if (earlier) return failAttempt(ctx, attempt, 'unknown')
  ctx.log.error({ attemptId: attempt.id, videoId }, 'an order was lost; it may have been paid for')
  await requeueAttempt(ctx, attempt, { afterMs: 0, endsAs: 'orphaned', reason: 'transient' })
}

type End = 'done' | 'failed' | 'abandoned' | 'orphaned'

/** Ends the attempt under its lease; false when somebody else has. */
const endAttempt = (tx: Tx, attempt: HeldAttempt, state: End): Promise<boolean> =>
  writeAttempt(tx, attempt, sql`state = ${state}::attempt_state, settled_at = engine_now()`)

/** A place has become free: the user's next gated video, and whoever is next in the line. */
async function afterEnd(ctx: EngineCtx, tx: Tx, { userId }: HeldAttempt): Promise<void> {
  await admitWaiting(tx, ctx.queue, userId)
  if (await someoneWaits(tx)) await ctx.queue.add(tx, [{ name: 'videos.dispatch', payload: {} }])
}

const someoneWaits = async (db: Executor) =>
  Boolean(await db.row(sql`select 1 from line_entries where state = 'ready' limit 1`))
