import sql from 'sql-template-tag'
import { runningTimeout } from '~/lib/running-time'
import { minutes } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import { providerErrorOrThrow, type AssetRef, type OrderRef } from '~/platform/providers/port'
import { FAILURES_LOOKED_AT_LATE } from '../failure-facts'
import { SHARED_FIELDS } from '../order-columns.server'
import type { EngineCtx, LeasedAttempt } from './context'
import {
  askingToken,
  credentialOf,
  TOKEN_COLUMNS,
  tokenIn,
  type TokenRow,
} from './credentials.server'
import { isForeign } from './foreign-order.server'
import { orderOf, type Ordered } from './orders'
import { goneDelay, isGone } from './policy'
import { providerOf, sharersOf } from '../../providers.server'
import { lateCheck, ORPHAN_CHECK_MS } from './settle.server'
import { parseOrderRef } from './stored-json'

const POLL_TIMEOUT_MS = 30_000
/** Providers store a finished clip for one or two days. */
const LOOK_FOR = sql`interval '24 hours'`

/** Between two looks for the clip of an orphan whose deadline has passed. */
const LATER_MS = minutes(10)

type LateField =
  'id' | 'provider' | 'accountScope' | 'credential' | 'ref' | 'sentAt' | 'videoId' | 'goneTries'

type Late = Ordered &
  Pick<LeasedAttempt, LateField> & {
    ageMs: number
    lostMs: number
    isOrphan: boolean
  }

/**
 * Asks for an order that was given up but may have been paid for, until 24 hours after it was sent.
 * If its clip is finished after all, the clip is delivered: free of charge if the video has failed,
 * in place of another order if the video waits for one. It is given up if it is gone each time, five
 * times over ten minutes. Does nothing if the video was delivered, retried or deleted in the meantime.
 */
export async function checkLate(engine: EngineCtx, attemptId: string): Promise<void> {
  const row = await engine.db.row<Omit<Late, 'credential'> & TokenRow>(sql`
    select attempts.id, attempts.provider, attempts.account_scope as "accountScope", ref, prompt, attempts.video_id as "videoId",
      ${SHARED_FIELDS}, seed, sent_at as "sentAt", gone_tries as "goneTries",
      extract(epoch from engine_now() - sent_at)::float * 1000 as "ageMs",
      extract(epoch from engine_now() - coalesce(lost_at, sent_at))::float * 1000 as "lostMs",
      attempts.state = 'orphaned' as "isOrphan", ${TOKEN_COLUMNS}
    from attempts join videos on videos.id = attempts.video_id
      left join lateral (${askingToken(sql`attempts`, sharersOf(engine))}) as token on true
    where attempts.id = ${attemptId} and attempts.state in ('failed', 'orphaned')
      and sent_at > engine_now() - ${LOOK_FOR} and videos.generation = attempts.generation
      and videos.deleted_at is null and (videos.error_code = any(${FAILURES_LOOKED_AT_LATE})
        or (attempts.state = 'orphaned' and videos.status in ('pending', 'generating')))`)
  if (!row) return
  const ctx = { ...engine, provider: providerOf(engine, row.provider, row.accountScope) }
  const late: Late = { ...row, credential: tokenIn(row) }
  const found = await lookOnce(ctx, late)
  if (found === 'over') return
  if (found === 'gone') return lookAgainOnceMore(ctx, late)
  await ctx.db.transaction(async (tx) => {
    if (found === 'pending' || !(await takeUp(tx, late, found))) {
      const afterMs = late.isOrphan && late.ageMs < LATER_MS ? ORPHAN_CHECK_MS : LATER_MS
      return ctx.queue.add(tx, [lateCheck(ctx, attemptId, afterMs)])
    }
    await ctx.queue.add(tx, [{ name: 'videos.fetch', payload: { attemptId } }])
  })
}

/** Counts that an order was gone and asks again after a pause, unless it was often enough. */
async function lookAgainOnceMore(ctx: EngineCtx, { id, goneTries }: Late): Promise<void> {
  const afterMs = goneDelay(goneTries)
  if (afterMs === null) return
  await ctx.db.run(sql`
    with counted as (
      update attempts set gone_tries = gone_tries + 1
      where id = ${id} and state in ('failed', 'orphaned') returning id
    )
    select ${ctx.queue.adding([lateCheck(ctx, id, afterMs)])} from counted`)
}

/**
 * Lets the attempt fetch the clip that was found. A video that waits in the line for another order
 * leaves it. Returns false if the video is being ordered or made again: its next clip is awaited.
 */
async function takeUp(tx: Tx, { id, videoId }: Pick<Late, 'id' | 'videoId'>, found: Found) {
  await tx.run(sql`select lock_for_ending(attempts) from attempts where id = ${id}`)
  const taken = await tx.run(sql`
    delete from line_entries using attempts
    where attempts.id = ${id} and line_entries.video_id = ${videoId} and line_entries.generation = attempts.generation`)
  if (taken > 0) {
    await tx.run(sql`update videos set status = 'generating' where id = ${videoId}`)
  }
  const moved = await tx.run(sql`
    update attempts set state = 'fetching', late = ${taken === 0}::boolean,
      asset = ${JSON.stringify(found.asset)}::jsonb, ref = ${JSON.stringify(found.ref)}::jsonb, step_tries = 0,
      lease_token = null, lease_holder = null, settled_at = null, due_at = engine_now(),
      deadline_at = engine_now() + interval '1 hour'
    where id = ${id} and state in ('failed', 'orphaned') and (${taken > 0}::boolean
      or (select error_code is not null and status <> 'generating' and status <> 'pending'
        from videos where id = ${videoId}))`)
  return moved > 0
}

type Found = { ref: OrderRef; asset: AssetRef }

/** `over`: there is no clip and will be none. `gone`: the provider does not know the order now. */
type Seen = Found | 'pending' | 'gone' | 'over'

async function lookOnce(ctx: EngineCtx, attempt: Late): Promise<Seen> {
  try {
    return await (attempt.ref === null ? findClip(ctx, attempt) : pollOnce(ctx, attempt))
  } catch (error) {
    return isGone(providerErrorOrThrow(error).fault) ? 'gone' : 'pending'
  }
}

const limited = (ctx: EngineCtx): AbortSignal =>
  AbortSignal.any([ctx.signal, runningTimeout(POLL_TIMEOUT_MS)])

async function pollOnce(ctx: EngineCtx, attempt: Late): Promise<Seen> {
  const ref = parseOrderRef(attempt.ref)
  const result = await ctx.provider.poll(ref, credentialOf(ctx, attempt), limited(ctx))
  if (await isForeign(ctx, attempt, result)) return 'over'
  if (result.state === 'succeeded') return { ref, asset: result.assets[0] }
  return result.state === 'pending' ? 'pending' : 'over'
}

/** Looks for the clip of an order whose id is not known. Only a place of its own shows it. */
async function findClip(ctx: EngineCtx, attempt: Late): Promise<Seen> {
  const { provider, settings } = ctx
  const { id, sentAt, ageMs, lostMs, accountScope } = attempt
  if (!provider.find || provider.can.recover !== 'output-prefix' || sentAt === null) return 'over'
  const request = orderOf(attempt, provider, settings.clipSeconds)
  const lost = { attemptId: id, sentAt, ageMs, lostMs, request, accountScope }
  const result = await provider.find(lost, credentialOf(ctx, attempt), limited(ctx))
  return result.found === 'assets' ? { ref: result.ref, asset: result.assets[0] } : 'pending'
}
