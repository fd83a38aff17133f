import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { likenessOf } from '~/lib/prompt-likeness'
import type { PollResult } from '~/platform/providers/port'
import { SHARED_FIELDS } from '../order-columns.server'
import type { EngineCtx, LeasedAttempt } from './context'
import { startRecovery } from './faults.server'
import { orderOf, type Ordered } from './orders'
import { REPEATED_ID } from './policy'

// A provider may give one id to two orders. If the response to the first was lost, the second has
// the id for itself, and with it the clip of another user (decision 76).

type Attempt = Ordered & Pick<LeasedAttempt, 'id' | 'accountScope'>

/**
 * Returns whether a polled order belongs to another attempt: the answer names it, or the provider returns a
 * prompt that is not exactly this attempt's, but exactly that of a recent attempt of the account whose
 * order may exist and is not known. A prompt that matches no attempt was reworded or cut by the provider.
 */
export async function isForeign(
  ctx: EngineCtx,
  attempt: Attempt,
  { attemptId, prompt }: PollResult,
): Promise<boolean> {
  if (attemptId === undefined || !isId(attemptId)) return isAnothersPrompt(ctx, attempt, prompt)
  if (attemptId === attempt.id) return false
  return (await ctx.db.row(sql`select 1 from attempts where id = ${attemptId}`)) !== undefined
}

async function isAnothersPrompt(
  { db, provider, settings }: EngineCtx,
  attempt: Attempt,
  prompt: string | undefined,
): Promise<boolean> {
  const isFor = (ordered: Ordered) =>
    likenessOf(orderOf(ordered, provider, settings.clipSeconds).prompt, prompt) === 'same'
  if (prompt === undefined || isFor(attempt)) return false
  const others = await db.rows<Ordered>(sql`
    select prompt, ${SHARED_FIELDS}, seed
    from attempts join videos on videos.id = attempts.video_id
    where attempts.account_scope = ${attempt.accountScope} and attempts.id <> ${attempt.id} and ref is null
      and sent_at is not null and (acceptance is null or acceptance in ('unknown', 'accepted'))
      and attempts.created_at > (select created_at from attempts where id = ${attempt.id})
        - ${2 * provider.can.deadlineMs}::float * interval '1 millisecond'`)
  return others.some(isFor)
}

/**
 * Gives an order up that belongs to another attempt, which can find it then. The attempt's own order
 * was accepted under the same id and cannot be polled: it is looked up like one without a response.
 */
export async function giveUpForeign(ctx: EngineCtx, attempt: LeasedAttempt, orderId: string) {
  const { id: attemptId, videoId } = attempt
  ctx.log.error({ attemptId, videoId, orderId }, 'the provider gave the id of another order')
  const evidence = {
    message: `the provider gave the id of another order: ${orderId}`,
    code: REPEATED_ID,
    orderId,
  }
  const also = sql`, ref = null, asset = null, fetch_tries = 0, gone_tries = 0, fault = 'transient', acceptance = 'accepted',
    evidence = ${JSON.stringify(evidence)}::jsonb`
  await startRecovery(ctx, attempt, also)
}
