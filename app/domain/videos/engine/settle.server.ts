import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import { settleCharge } from '../../quota/charges.server'
import { admitWaiting } from '../line.server'
import { FAILURE_TEXT } from '../rules'
import type { FailureClass } from '../types'
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
    const replaced = await deliver(tx, attempt, file)
    // A video deleted or regenerated meanwhile does not take the clip; what it took before is replaced.
    const unused = replaced
      ? [replaced.fileKey, replaced.posterKey]
      : [file.fileKey, file.posterKey]
    const keys = unused.filter((key) => key !== null)
    if (keys.length > 0) await ctx.queue.add(tx, [{ name: 'videos.purge', payload: { keys } }])
    await settleCharge(tx, attempt, 'charged')
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
    if (!(await endAttempt(tx, attempt, 'failed'))) return
    const text = FAILURE_TEXT[as]
    await tx.run(sql`
      update videos set error_code = ${as},
        status = (case when file_key is null then 'error' else 'completed' end)::video_status,
        error_message = case when file_key is null then ${text} else ${`Last regeneration failed: ${text}`} end
      where id = ${attempt.videoId} and generation = ${attempt.generation} and deleted_at is null`)
    await settleCharge(tx, attempt, 'returned')
    await afterEnd(ctx, tx, attempt)
  })
}

/**
 * Puts the video back into the line after an order that brought nothing. `counts` says whether it
 * was a failure or only a busy provider.
 */
export async function requeueAttempt(
  ctx: EngineCtx,
  attempt: HeldAttempt,
  { afterMs, counts, reason }: { afterMs: number; counts: boolean; reason: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await endAttempt(tx, attempt, counts ? 'failed' : 'abandoned'))) return
    const isWanted = await tx.run(sql`
      update videos set status = 'pending'
      where id = ${attempt.videoId} and generation = ${attempt.generation} and deleted_at is null`)
    if (!isWanted) {
      await settleCharge(tx, attempt, 'returned')
      return afterEnd(ctx, tx, attempt)
    }
    await tx.run(sql`
      insert into line_entries (video_id, generation, user_id, lane, state, hold_reason, wake_at, entered_at)
      values (${attempt.videoId}, ${attempt.generation}, ${attempt.userId}, ${attempt.lane}, 'held', ${reason},
        engine_now() + ${afterMs}::float * interval '1 millisecond', engine_now())`)
    await ctx.queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs: afterMs }])
  })
}

/** Ends the attempt under its lease; false when somebody else has. */
async function endAttempt(
  tx: Tx,
  { id, leaseToken }: HeldAttempt,
  state: 'done' | 'failed' | 'abandoned',
) {
  const ended = await tx.run(sql`
    update attempts set state = ${state}::attempt_state, settled_at = engine_now()
    where id = ${id} and lease_token = ${leaseToken}::uuid
      and state in ('submitting', 'submitted', 'fetching', 'unknown')`)
  return ended > 0
}

/** A place has become free: the user's next gated video, and whoever is next in the line. */
async function afterEnd(ctx: EngineCtx, tx: Tx, { userId }: HeldAttempt): Promise<void> {
  await admitWaiting(tx, ctx.queue, userId)
  if (await someoneWaits(tx)) await ctx.queue.add(tx, [{ name: 'videos.dispatch', payload: {} }])
}

const someoneWaits = async (db: Executor) =>
  Boolean(await db.row(sql`select 1 from line_entries where state = 'ready' limit 1`))
