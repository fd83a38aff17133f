import sql from 'sql-template-tag'
import { likenessOf } from '~/lib/prompt-likeness'
import type { EngineCtx, LeasedAttempt } from './context'
import { startRecovery } from './faults.server'
import { orderOf } from './orders'

// A provider may give one id to two orders. If the response to the first was lost, the second has
// the id for itself, and with it the clip of another user (decision 100).

type Other = Pick<LeasedAttempt, 'prompt' | 'negativePrompt' | 'aspectRatio' | 'seed'>

/**
 * Returns whether a polled order belongs to another attempt: the provider returns a prompt that is
 * not this attempt's, but that of a recent attempt of the account that has no order. A prompt that
 * matches no attempt was reworded by the provider.
 */
export async function isForeign(
  { db, provider, settings }: EngineCtx,
  attempt: LeasedAttempt,
  prompt: string | undefined,
): Promise<boolean> {
  const isFor = (other: Other) =>
    likenessOf(orderOf(other, provider, settings.clipSeconds).prompt, prompt)
  if (isFor(attempt) !== 'other') return false
  const others = await db.rows<Other>(sql`
    select prompt, negative_prompt as "negativePrompt", aspect_ratio as "aspectRatio", seed
    from attempts join videos on videos.id = attempts.video_id
    where attempts.account_scope = ${attempt.accountScope} and attempts.id <> ${attempt.id} and ref is null
      and sent_at > engine_now() - ${2 * provider.can.deadlineMs}::float * interval '1 millisecond'`)
  return others.some((other) => isFor(other) === 'same')
}

/**
 * Gives an order up that belongs to another attempt, which can find it then. The attempt's own order
 * was accepted under the same id and cannot be polled: it is looked up like one without a response.
 */
export async function giveUpForeign(ctx: EngineCtx, attempt: LeasedAttempt, orderId: string) {
  const { id: attemptId, videoId } = attempt
  ctx.log.error({ attemptId, videoId, orderId }, 'the provider gave the id of another order')
  const evidence = { message: `the provider gave the id of another order: ${orderId}`, orderId }
  const also = sql`, ref = null, fault = 'transient', acceptance = 'accepted',
    evidence = ${JSON.stringify(evidence)}::jsonb`
  await startRecovery(ctx, attempt, also)
}
