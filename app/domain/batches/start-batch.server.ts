import sql, { type Sql } from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { excerpt } from '~/lib/text'
import { roundJob } from './fire-round.server'
import type { Tx } from '~/platform/db/port'
import { requireGoodStanding, type AccountInOrder } from '../accounts/standing.server'
import { takeTrialUnits } from '../accounts/trial.server'
import type { Account } from '../accounts/types'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { oncePerKey } from '../idempotency.server'
import { charging, refuseUnits, reserving } from '../quota/charges.server'
import { LABEL_CHARACTERS } from '../quota/rules'
import { lockGalleries } from '../videos/locks.server'
import { readCarried } from './carried.server'
import { addCarried, admitToday } from './carry-over.server'
import { addToLine, hasRunningBatch } from './batches-in-line.server'
import { estimateFinish } from './estimate.server'
import { batchReceipt, ordersOf, type BatchReceipt, type StartBatchInput } from './schemas'
import type { BatchKind, Carried } from './types'
import { ORDER_COLUMNS, orderArrays } from '../videos/order-columns.server'
import { linkPicturesOfBatch } from '../videos/pictures.server'
import { clearDraftPictures } from '../videos/requests/draft-pictures.server'
import { hasListDraft } from '../videos/requests/drafts.server'
import { pictureLinks, withDraftPictures, type PicturedBox } from './batch-pictures.server'

/**
 * Starts a batch. Quota, one row per prompt, ledger, batch and the first round's job are written in
 * one transaction. Throws NO_ACTIVE_PLAN, ACCOUNT_EXPIRED, BATCH_RUNNING, QUOTA_EXCEEDED (the whole
 * batch or nothing, decision Q-7, unless it may be carried over), or CONFLICT if the key was used for a
 * different request. With `queue` it waits in line while another one is running, instead of BATCH_RUNNING,
 * or throws CONFLICT if the line is full.
 */
export async function startBatch(
  ctx: UserCtx,
  input: StartBatchInput,
  key?: string,
): Promise<BatchReceipt> {
  const order = { key, request: ['bulk', input], result: batchReceipt }
  return oncePerKey(ctx, order, (tx) => acceptBatch(ctx, tx, input))
}

/**
 * Starts a batch of the bulk box with the picture that was added to it. Unless prompts stay in the box or in
 * a list, the picture leaves the form in the same transaction. Throws like `startBatch` and
 * `withDraftPictures`.
 */
export async function startPicturedBatch(
  ctx: UserCtx,
  { input, box, key }: { input: StartBatchInput; box: PicturedBox; key?: string | undefined },
): Promise<BatchReceipt> {
  const order = { key, request: ['bulk', input, box.seen], result: batchReceipt }
  return oncePerKey(ctx, order, async (tx) => {
    const receipt = await acceptBatch(ctx, tx, await withDraftPictures(ctx, tx, { input, box }))
    const stay = box.keeps || (await hasListDraft({ actor: ctx.actor, db: tx }))
    if (!stay) await clearDraftPictures(tx, ctx, box.seen)
    return receipt
  })
}

/**
 * Starts a batch in the caller's transaction, and gives its prompts their pictures. Throws like
 * `startBatch`, and BAD_INPUT for a picture that is not cut to the aspect ratio of its prompt.
 */
export async function acceptBatch(
  ctx: UserCtx,
  tx: Tx,
  input: StartBatchInput,
): Promise<BatchReceipt> {
  const links = pictureLinks(input)
  const accepted = await acceptPrompts(ctx, tx, input)
  await linkPicturesOfBatch(tx, accepted.batchId, links)
  return accepted
}

/** Writes everything but pictures in one statement, behind the lock of the user's gallery. */
async function acceptPrompts(ctx: UserCtx, tx: Tx, input: StartBatchInput): Promise<BatchReceipt> {
  const account = await requireGoodStanding(ctx, tx)
  if (input.queue) {
    // Whatever ends a batch holds this lock as well.
    await lockGalleries(tx, [account.id])
    if (await hasRunningBatch(tx, account.id)) return addToLine(ctx, tx, { account, input })
  }
  if (input.carryOver) return acceptCarrying(ctx, tx, { account, input })
  const { id: userId, videoLimit: limit, clipUnits: each } = account
  const { timeZone } = ctx.settings
  const clips = input.prompts.length
  const batchId = newId()
  const charges = input.prompts.map((prompt) => ({
    videoId: newId(),
    generation: 1,
    label: excerpt(prompt, LABEL_CHARACTERS),
  }))
  const request = { userId, limit, clips, each, timeZone }
  const accepted = await tx.one<{ isOpen: boolean; isReserved: boolean; jobs: number }>(sql`
    with gallery as materialized (
      select user_id from galleries where user_id = ${userId} for update
    ), opened as (${opening(account, { id: batchId, kind: 'bulk', total: clips })} returning id
    ), reserved as (${reserving(request)}
    ), added as (
      insert into videos (id, user_id, prompt, ${ORDER_COLUMNS}, model, seed, created_at,
        batch_id, batch_position, awaits_round, request_id)
      select given.id, ${userId}, prompt, ${ORDER_COLUMNS},
        ${ctx.provider.model}, floor(random() * 2147483647)::int, engine_now(), opened.id, position, true,
        ${ctx.requestId}
      from gallery cross join opened cross join reserved
        cross join unnest(${charges.map(({ videoId }) => videoId)}::uuid[], ${input.prompts}::text[],
          ${orderArrays(ordersOf(input))}) with ordinality as given(id, prompt, ${ORDER_COLUMNS}, position)
    ), charged as (${charging({ userId, reason: 'bulk', each, charges }, sql`reserved`)})
    select exists (select 1 from opened) as "isOpen", exists (select 1 from reserved) as "isReserved",
      ${ctx.queue.adding([roundJob({ batchId, roundNo: 0, requestId: ctx.requestId })])} as jobs
    from (select count(*) from gallery) as locked`)
  if (!accepted.isOpen) throw isRunning()
  if (!accepted.isReserved) await refuseUnits(tx, request)
  await takeTrialUnits(ctx, tx, { network: account.trialNetwork, units: clips * each })
  return receipt(ctx, tx, { batchId, account, total: clips })
}

/**
 * Starts a batch with today's units, however many they are. Its other prompts wait for the next days.
 * Throws QUOTA_EXCEEDED for an account without the units of a video a day.
 */
async function acceptCarrying(
  ctx: UserCtx,
  tx: Tx,
  { account, input }: { account: AccountInOrder; input: StartBatchInput },
): Promise<BatchReceipt> {
  const { id: userId, videoLimit: limit, clipUnits: each } = account
  const { timeZone } = ctx.settings
  const total = input.prompts.length
  if (limit < each) await refuseUnits(tx, { userId, limit, clips: total, each, timeZone })
  await lockGalleries(tx, [userId])
  const batchId = await openBatch(tx, account, { kind: 'bulk', total })
  await tx.run(sql`update batches set next_round_at = null where id = ${batchId}`)
  await addCarried(tx, batchId, input)
  const admitted = await admitToday(ctx, tx, { batchId, account })
  const carried = await readCarried(tx, batchId)
  const accepted = await receipt(ctx, tx, { batchId, account, total, carried })
  return { ...accepted, carried: total - admitted }
}

type NewBatch = { id: string; kind: Exclude<BatchKind, 'regeneration'>; total: number }

/**
 * Opens a batch at the account's pace, with its first round due immediately. Throws BATCH_RUNNING
 * while another batch of the user is processing. A unique index resolves concurrent calls.
 */
export async function openBatch(
  tx: Tx,
  account: Account,
  batch: Omit<NewBatch, 'id'>,
): Promise<string> {
  const id = newId()
  if ((await tx.run(opening(account, { id, ...batch }))) > 0) return id
  throw isRunning()
}

/** Builds the statement of `openBatch`. It returns no row if another batch is processing. */
const opening = (account: Account, { id, kind, total }: NewBatch): Sql => sql`
    insert into batches (id, user_id, kind, total_videos, speed_limit, delay_seconds, route, clip_units,
      next_round_at, created_at)
    values (${id}, ${account.id}, ${kind}::batch_kind, ${total}, ${account.speedLimit},
      ${account.videoGenerationSpeed}, ${account.route}, ${account.clipUnits}, engine_now(), engine_now())
    on conflict (user_id) where status = 'processing' and kind <> 'regeneration' do nothing`

const isRunning = () =>
  new AppError(
    'BATCH_RUNNING',
    'A batch is already being processed. Wait for it to end, or stop it first.',
  )

type Accepted = { batchId: string; account: Account; total: number; carried?: Carried | null }

/** Returns the user's receipt of a batch that was just accepted. */
export async function receipt(
  ctx: UserCtx,
  tx: Tx,
  { batchId, account, total, carried = null }: Accepted,
): Promise<BatchReceipt> {
  const { speedLimit, videoGenerationSpeed: delaySeconds } = account
  const finish = await estimateFinish(ctx, tx, {
    waiting: total - (carried?.prompts ?? 0),
    moving: 0,
    carried,
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
    finishEstimate: finish?.toISOString() ?? null,
  }
}
