import sql from 'sql-template-tag'
import type { AssetRef } from '~/platform/providers/port'
import type { EngineCtx, HeldAttempt } from './context'
import { credentialForOrder } from './credentials.server'
import { toProviderError } from './faults.server'
import { lateCheck } from './settle.server'
import { parseJobRef } from './stored-json'

const POLL_TIMEOUT_MS = 30_000
/** Providers keep a finished clip for a day or two. */
const LOOK_FOR = sql`interval '24 hours'`

/**
 * Asks about an order that was given up at its deadline, until a day has passed: a clip that is
 * there after all is delivered, free. A video that was retried or deleted meanwhile is left alone.
 */
export async function checkLate(ctx: EngineCtx, attemptId: string): Promise<void> {
  const attempt = await ctx.db.row<HeldAttempt>(sql`
    select attempts.id, account_scope as "accountScope", credential_id as "credentialId", ref
    from attempts join videos on videos.id = attempts.video_id
    where attempts.id = ${attemptId} and attempts.state = 'failed' and ref is not null
      and sent_at > engine_now() - ${LOOK_FOR} and videos.generation = attempts.generation
      and videos.deleted_at is null and videos.error_code = 'time-out'`)
  if (!attempt) return
  const asset = await lookOnce(ctx, attempt)
  if (asset === 'gone') return
  await ctx.db.transaction(async (tx) => {
    if (asset === 'pending') return ctx.queue.add(tx, [lateCheck(ctx, attemptId)])
    await tx.run(sql`
      update attempts set state = 'fetching', late = true, asset = ${JSON.stringify(asset)}::jsonb,
        step_tries = 0, lease_token = null, lease_pool = null, settled_at = null, due_at = engine_now(),
        deadline_at = engine_now() + interval '1 hour'
      where id = ${attemptId} and state = 'failed'`)
    await ctx.queue.add(tx, [{ name: 'videos.fetch', payload: { attemptId } }])
  })
}

async function lookOnce(
  ctx: EngineCtx,
  attempt: HeldAttempt,
): Promise<AssetRef | 'pending' | 'gone'> {
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(POLL_TIMEOUT_MS)])
    const credential = await credentialForOrder(ctx, attempt)
    const result = await ctx.provider.poll(parseJobRef(attempt.ref), credential, signal)
    if (result.state === 'succeeded') return result.assets[0]
    return result.state === 'pending' ? 'pending' : 'gone'
  } catch (error) {
    return toProviderError(error).fault.kind === 'permanent' ? 'gone' : 'pending'
  }
}
