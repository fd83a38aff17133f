import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { excerpt } from '~/lib/text'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import { unitsOfClip } from '../accounts/columns.server'
import { findInGoodStanding, type AccountInOrder } from '../accounts/standing.server'
import { takeTrialUnits, trialUnitsLeft } from '../accounts/trial.server'
import type { Ctx } from '../context'
import { endOfDay } from '../days.server'
import { providerOfRoute, type Providers } from '../providers.server'
import { reserveRest, writeCharges } from '../quota/charges.server'
import { LABEL_CHARACTERS, remainingClips } from '../quota/rules'
import type { EngineCtx } from '../videos/engine/context'
import { lockGalleries } from '../videos/locks.server'
import { ORDER_COLUMNS, orderArrays } from '../videos/order-columns.server'
import { FAILURE_TEXT } from '../videos/rules'
import { roundJob } from './fire-round.server'
import { NEXT_ROUND_AT } from './round-conditions.server'
import { ordersOf, type StartBatchInput } from './schemas'

// A prompt of a later day is not a video: it has no unit, no place in the line and no attempt. It
// leaves its table either with a unit of its day, as a video that awaits a round, or cancelled.

/** Allows for the statements between the one that sets a time and the one that adds the job. */
const MARGIN_MS = 50

/** Returns the job that looks at the carried prompts of a batch in `waitMs` milliseconds. */
export const carryJob = (batchId: string, waitMs = 0): NewJob => ({
  name: 'batches.carry',
  payload: { batchId },
  delayMs: waitMs > 0 ? waitMs + MARGIN_MS : 0,
  key: `carry:${batchId}`,
})

/** Adds prompts to a batch as carried ones. */
export async function addCarried(tx: Tx, batchId: string, input: StartBatchInput): Promise<void> {
  const { prompts } = input
  await tx.run(sql`
    insert into carried_prompts (id, batch_id, position, prompt, ${ORDER_COLUMNS})
    select id, ${batchId}, position, prompt, ${ORDER_COLUMNS}
    from unnest(${prompts.map(newId)}::uuid[], ${prompts}::text[], ${orderArrays(ordersOf(input))})
      with ordinality as given(id, prompt, ${ORDER_COLUMNS}, position)`)
}

/**
 * Gives a batch's carried prompts the units of a new day. Does nothing while the batch is paused or
 * its owner may not order; the sweep adds the job again after that.
 */
export async function carryOver(ctx: EngineCtx, { batchId }: { batchId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const batch = await tx.row<{ userId: string }>(sql`
      select user_id as "userId" from batches where id = ${batchId}`)
    const account = batch && (await findInGoodStanding(tx, batch.userId))
    if (!account) return
    await lockGalleries(tx, [account.id])
    const due = await tx.row(sql`
      select 1 from batches where id = ${batchId} and status = 'processing' and paused_at is null
        and carries_at <= engine_now() for update`)
    if (due) await admitToday(ctx, tx, { batchId, account })
  })
}

/** Returns the model that a batch's prompts show until they are sent: that of its route. */
async function modelOf(ctx: Providers, tx: Tx, batchId: string): Promise<string> {
  const { route } = await tx.one<{ route: string }>(
    sql`select route from batches where id = ${batchId}`,
  )
  return providerOfRoute(ctx, route).model
}

/**
 * Turns as many carried prompts into videos as today's units are enough for, first prompts first, and sets
 * when the others are looked at again. The caller has locked the account, its gallery and the batch. Returns
 * how many.
 */
export async function admitToday(
  ctx: Ctx,
  tx: Tx,
  { batchId, account }: { batchId: string; account: AccountInOrder },
): Promise<number> {
  const { id: userId, videoLimit: limit, trialNetwork: network } = account
  const { timeZone } = ctx.settings
  const { count, each } = await tx.one<{ count: number; each: number }>(sql`
    select (select count(*)::int from carried_prompts where batch_id = ${batchId}) as count,
      ${unitsOfClip(sql`batches.clip_units`)} as each
    from batches join users on users.id = user_id where batches.id = ${batchId}`)
  const model = await modelOf(ctx, tx, batchId)
  const allowed = remainingClips(await trialUnitsLeft(ctx, tx, network), each)
  const { clips, ...reservation } = await reserveRest(tx, {
    userId,
    limit,
    clips: Math.min(count, allowed),
    each,
    timeZone,
  })
  const admitted = await tx.rows<{ videoId: string; prompt: string }>(sql`
    with admitted as (
      delete from carried_prompts where id in (
        select id from carried_prompts where batch_id = ${batchId} order by position limit ${clips}::int)
      returning id, position, prompt, ${ORDER_COLUMNS}
    )
    insert into videos (id, user_id, prompt, ${ORDER_COLUMNS}, model, seed, created_at, batch_id,
      batch_position, awaits_round, request_id)
    select id, ${userId}, prompt, ${ORDER_COLUMNS}, ${model}, floor(random() * 2147483647)::int,
      engine_now(), ${batchId}, position, true, ${ctx.requestId}
    from admitted order by position
    returning id as "videoId", prompt`)
  const charges = admitted.map(({ videoId, prompt }) => ({
    videoId,
    generation: 1,
    label: excerpt(prompt, LABEL_CHARACTERS),
  }))
  await writeCharges(tx, { userId, reason: 'bulk', each, charges }, reservation)
  const isLast = clips === count
  await setNextTimes(ctx, tx, { batchId, clips, isLast, day: reservation.day })
  if (clips > 0) await takeTrialUnits(ctx, tx, { network, units: clips * each })
  return clips
}

type Admitted = { batchId: string; clips: number; isLast: boolean; day: string }

/** Sets when the next round is due and when what is left is looked at, and adds the jobs for both. */
async function setNextTimes(
  { queue, settings, requestId }: Ctx,
  tx: Tx,
  { batchId, clips, isLast, day }: Admitted,
): Promise<void> {
  const next = await tx.one<{
    roundNo: number
    roundMs: number | null
    carryMs: number | null
  }>(sql`
    update batches set days_run = days_run + least(1, ${clips}::int),
      carries_at = case when not ${isLast}::boolean then ${endOfDay(sql`${day}::date`, settings.timeZone)} end,
      next_round_at = case when ${clips}::int > 0 then coalesce(next_round_at, ${NEXT_ROUND_AT})
        else next_round_at end
    where id = ${batchId}
    returning round_no as "roundNo",
      extract(epoch from next_round_at - engine_now())::float * 1000 as "roundMs",
      extract(epoch from carries_at - engine_now())::float * 1000 as "carryMs"`)
  const { roundNo, roundMs, carryMs } = next
  const jobs: NewJob[] = []
  if (clips > 0) jobs.push(roundJob({ batchId, roundNo, requestId }, roundMs ?? 0))
  if (carryMs !== null) jobs.push(carryJob(batchId, carryMs))
  await queue.add(tx, jobs)
}

/**
 * Turns carried prompts of a batch into cancelled videos, which cost nothing: one, or all. The caller
 * has locked the batch. Returns how many.
 */
export async function cancelCarried(
  ctx: Providers & Pick<Ctx, 'requestId'>,
  tx: Tx,
  { batchId, only = null }: { batchId: string; only?: string | null },
): Promise<number> {
  const cancelled = await tx.run(sql`
    with gone as (
      delete from carried_prompts where batch_id = ${batchId} and id = coalesce(${only}::uuid, id)
      returning id, position, prompt, ${ORDER_COLUMNS}
    )
    insert into videos (id, user_id, prompt, ${ORDER_COLUMNS}, model, seed, created_at, batch_id,
      batch_position, status, error_code, error_message, request_id)
    select gone.id, user_id, prompt, ${ORDER_COLUMNS}, ${await modelOf(ctx, tx, batchId)}, floor(random() * 2147483647)::int,
      engine_now(), ${batchId}, position, 'error', 'cancelled', ${FAILURE_TEXT.cancelled}, ${ctx.requestId}
    from gone join batches on batches.id = ${batchId}`)
  await tx.run(sql`
    update batches set carries_at = null where id = ${batchId}
      and not exists (select 1 from carried_prompts where batch_id = ${batchId})`)
  await tx.run(sql`select tally_in_batch(${batchId}, 0, 0, ${cancelled}::int)`)
  return cancelled
}
