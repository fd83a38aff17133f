import sql from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { providerErrorOrThrow, type AssetRef } from '~/platform/providers/port'
import { FAILURES_LOOKED_AT_LATE } from '../failure-facts'
import type { EngineCtx, LeasedAttempt } from './context'
import {
  askingToken,
  credentialOf,
  TOKEN_COLUMNS,
  tokenIn,
  type TokenRow,
} from './credentials.server'
import { isForeign, type Ordered } from './foreign-order.server'
import { lateCheck } from './settle.server'
import { parseJobRef } from './stored-json'

const POLL_TIMEOUT_MS = 30_000
/** Providers store a finished clip for one or two days. */
const LOOK_FOR = sql`interval '24 hours'`

type Late = Ordered & Pick<LeasedAttempt, 'id' | 'accountScope' | 'credential' | 'ref'>

/**
 * Polls an order that was given up but may have been paid for, until 24 hours after it was sent. If
 * its clip is finished after all, the clip is delivered free of charge. Does nothing if the video
 * was retried or deleted in the meantime.
 */
export async function checkLate(ctx: EngineCtx, attemptId: string): Promise<void> {
  const row = await ctx.db.row<Omit<Late, 'credential'> & TokenRow>(sql`
    select attempts.id, attempts.account_scope as "accountScope", ref, prompt,
      negative_prompt as "negativePrompt", aspect_ratio as "aspectRatio", seed, ${TOKEN_COLUMNS}
    from attempts join videos on videos.id = attempts.video_id
      left join lateral (${askingToken(sql`attempts`, ctx.provider.can.sharesOrders ?? false)}) as token on true
    where attempts.id = ${attemptId} and attempts.state = 'failed' and ref is not null
      and sent_at > engine_now() - ${LOOK_FOR} and videos.generation = attempts.generation
      and videos.deleted_at is null and videos.error_code = any(${FAILURES_LOOKED_AT_LATE})`)
  if (!row) return
  const asset = await lookOnce(ctx, { ...row, credential: tokenIn(row) })
  if (asset === 'gone') return
  await ctx.db.transaction(async (tx) => {
    if (asset === 'pending') return ctx.queue.add(tx, [lateCheck(ctx, attemptId)])
    await tx.run(sql`
      update attempts set state = 'fetching', late = true, asset = ${JSON.stringify(asset)}::jsonb,
        step_tries = 0, lease_token = null, lease_holder = null, settled_at = null, due_at = engine_now(),
        deadline_at = engine_now() + interval '1 hour'
      where id = ${attemptId} and state = 'failed'`)
    await ctx.queue.add(tx, [{ name: 'videos.fetch', payload: { attemptId } }])
  })
}

async function lookOnce(ctx: EngineCtx, attempt: Late): Promise<AssetRef | 'pending' | 'gone'> {
  try {
    const signal = AbortSignal.any([ctx.signal, runningTimeout(POLL_TIMEOUT_MS)])
    const credential = credentialOf(ctx, attempt)
    const result = await ctx.provider.poll(parseJobRef(attempt.ref), credential, signal)
    if (await isForeign(ctx, attempt, result.prompt)) return 'gone'
    if (result.state === 'succeeded') return result.assets[0]
    return result.state === 'pending' ? 'pending' : 'gone'
  } catch (error) {
    return providerErrorOrThrow(error).fault.kind === 'permanent' ? 'gone' : 'pending'
  }
}
