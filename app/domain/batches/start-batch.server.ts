import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { excerpt } from '~/lib/text'
import { roundJob } from './fire-round.server'
import type { Tx } from '~/platform/db/port'
import { requireGoodStanding } from '../accounts/standing.server'
import type { Account } from '../accounts/types'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { once } from '../once.server'
import { reserveUnits, writeCharges } from '../quota/charges.server'
import { LABEL_CHARACTERS } from '../quota/rules'
import { lockGalleries } from '../videos/locks.server'
import { estimateFinish } from './estimate.server'
import type { StartBatchInput } from './schemas'
import type { BatchKind, BatchReceipt } from './types'

/**
 * Starts a bulk run: quota, one row a prompt, ledger, batch and the first round's job in one
 * transaction, or nothing at all. Throws NO_ACTIVE_PLAN, ACCOUNT_EXPIRED, BATCH_RUNNING,
 * QUOTA_EXCEEDED (the whole batch or nothing, decision Q-7), or CONFLICT for a key used before for
 * something else.
 */
export async function startBatch(
  ctx: UserCtx,
  input: StartBatchInput,
  key?: string,
): Promise<BatchReceipt> {
  return ctx.db.transaction(async (tx) => {
    const accept = () => acceptBatch(ctx, tx, input)
    if (key === undefined) return accept()
    return once(tx, { userId: ctx.actor.id, key, request: ['bulk', input] }, accept)
  })
}

async function acceptBatch(ctx: UserCtx, tx: Tx, input: StartBatchInput): Promise<BatchReceipt> {
  const account = await requireGoodStanding(ctx, tx)
  await lockGalleries(tx, [account.id])
  const units = input.prompts.length
  const batchId = await openBatch(tx, account, { kind: 'bulk', total: units })
  const { timeZone } = ctx.settings
  const reservation = await reserveUnits(tx, {
    userId: account.id,
    limit: account.videoLimit,
    units,
    timeZone,
  })
  const ids = input.prompts.map(newId)
  await tx.run(sql`
    insert into videos (id, user_id, prompt, negative_prompt, aspect_ratio, model, seed, created_at,
      batch_id, batch_position, awaits_round)
    select id, ${account.id}, prompt, ${input.negativePrompt}, ${input.aspectRatio}::aspect_ratio,
      ${ctx.provider.model}, floor(random() * 2147483647)::int, engine_now(),
      ${batchId}, position, true
    from unnest(${ids}::uuid[], ${input.prompts}::text[]) with ordinality as given(id, prompt, position)`)
  const labels = input.prompts.map((prompt) => excerpt(prompt, LABEL_CHARACTERS))
  const charges = ids.map((videoId, i) => ({ videoId, generation: 1, label: labels[i] ?? '' }))
  await writeCharges(tx, { userId: account.id, reason: 'bulk', charges }, reservation)
  await ctx.queue.add(tx, [roundJob({ batchId, roundNo: 0 })])
  return receipt(ctx, tx, { batchId, account, total: units })
}

type NewBatch = { kind: Exclude<BatchKind, 'regeneration'>; total: number }

/**
 * Opens a batch at the account's pace. Its first round is due at once. Throws BATCH_RUNNING while
 * another one of the user's is processing; a unique index decides between two at once.
 */
export async function openBatch(
  tx: Tx,
  account: Account,
  { kind, total }: NewBatch,
): Promise<string> {
  const opened = await tx.row<{ id: string }>(sql`
    insert into batches (id, user_id, kind, total_videos, speed_limit, delay_seconds, next_round_at, created_at)
    values (${newId()}, ${account.id}, ${kind}::batch_kind, ${total}, ${account.speedLimit},
      ${account.videoGenerationSpeed}, engine_now(), engine_now())
    on conflict (user_id) where status = 'processing' and kind <> 'regeneration' do nothing
    returning id`)
  if (opened) return opened.id
  throw new AppError(
    'BATCH_RUNNING',
    'A batch is already being processed. Wait for it to end, or stop it first.',
  )
}

type Accepted = { batchId: string; account: Account; total: number }

/** What the user is told of a batch that was just accepted. */
export async function receipt(
  ctx: UserCtx,
  tx: Tx,
  { batchId, account, total }: Accepted,
): Promise<BatchReceipt> {
  const { speedLimit, videoGenerationSpeed: delaySeconds } = account
  const finish = await estimateFinish(ctx, tx, {
    waiting: total,
    moving: 0,
    speedLimit,
    delaySeconds,
    nextRoundAt: null,
    userId: account.id,
  })
  return {
    batchId,
    totalVideos: total,
    speedLimit,
    delaySeconds,
    finishEstimate: finish?.toISOString() ?? new Date().toISOString(),
  }
}
