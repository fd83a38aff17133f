import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { Account } from '../accounts/types'
import type { Ctx, UserCtx } from '../context'
import { remainingClips } from '../quota/rules'
import type { QuotaView } from '../quota/types'
import { ACTIVE } from '../videos/engine/attempts.server'
import { clipsOf, serviceOf, STORAGE } from '../videos/engine/gates.server'
import { latestDeliveries } from '../videos/gallery/progress.server'
import { USER_CAP } from '../videos/line.server'
import { ROUNDS_ALLOWED } from './round-conditions.server'
import type { EstimateInputs } from './receipt'
import { days } from '~/lib/time'
import { finishEstimate } from './finish-estimate'
import { withinPlan } from './later-days'
import type { Carried } from './types'

/** Minimum number of intervals between deliveries for a meaningful average. */
const ENOUGH = 3

type Remaining = {
  waiting: number
  moving: number
  speedLimit: number
  delaySeconds: number
  nextRoundAt: Date | null
  /** Its prompts of later days. */
  carried: Carried | null
  userId: string
}

type Observed = {
  now: Date
  /** How long one video has taken recently, in milliseconds. */
  videoMs: number
  /**
   * Milliseconds from one delivery to the next while the provider has more to do; null if unknown.
   */
  betweenMs: number | null
  isQueue: boolean
  /** Nothing is sent to the provider before this time. */
  closedUntil: Date | null
  /** When the last of the user's videos on hold is tried again. */
  heldUntil: Date | null
  /** Videos of other users that are in progress or in the line. */
  others: number
  /** When the owner's plan ends; null: never. */
  planEnd: Date | null
  /** Whether the owner's account is disabled or expired, so that nothing continues for now. */
  isHeld: boolean
}

/**
 * Reads the figures for an estimate. The interval between two deliveries counts only if the second
 * order was sent before the first delivery; otherwise the provider was idle in between. With too few
 * such intervals, a provider that works on a few orders at a time is taken to be as fast as for its
 * latest deliveries, without the time that they waited for the one before.
 */
async function observe({ provider }: Ctx, db: Executor, userId: string): Promise<Observed> {
  type Row = Pick<
    Observed,
    'now' | 'closedUntil' | 'heldUntil' | 'others' | 'planEnd' | 'isHeld'
  > & {
    ms: number | null
    busyMs: number | null
    stepMs: number | null
  }
  const row = await db.one<Row>(sql`
    select engine_now() as now, recent.ms, recent."busyMs", recent."stepMs",
      (select max(closed_until) from provider_gates
        where scope in (${serviceOf(provider)}, ${STORAGE}, ${clipsOf(provider)}) and closed_until > engine_now()) as "closedUntil",
      (select max(wake_at) from line_entries
        where user_id = ${userId} and state = 'held') as "heldUntil",
      ((select count(*) from line_entries where state <> 'gated' and user_id <> ${userId})
        + (select count(*) from attempts where user_id <> ${userId}
          and state in (${ACTIVE})))::int as others,
      (select expiry_date from users where id = ${userId}) as "planEnd",
      not exists (select 1 from users where id = ${userId} and ${ROUNDS_ALLOWED}) as "isHeld"
    from (
      select avg(took)::float * 1000 as ms, avg(busy)::float * 1000 as "busyMs",
        case when count(step) >= ${ENOUGH} then avg(step)::float * 1000 end as "stepMs"
      from (
        select extract(epoch from settled_at - sent_at) as took,
          extract(epoch from settled_at - greatest(sent_at, previous)) as busy,
          case when sent_at <= previous then extract(epoch from settled_at - previous) end as step
        from (
          select settled_at, sent_at, lag(settled_at) over (order by settled_at) as previous
          from (${latestDeliveries(provider)}) as latest) as pairs) as deliveries) as recent`)
  const { ms, busyMs, stepMs, ...seen } = row
  const { expectedMs, atOnce } = provider.can
  const eachMs = busyMs ?? expectedMs
  return {
    ...seen,
    videoMs: ms ?? expectedMs,
    betweenMs: stepMs ?? (atOnce === undefined ? null : eachMs / atOnce),
    isQueue: atOnce !== undefined,
  }
}

/**
 * Estimates when a batch's last video will be finished, from its pace, recent durations, the work
 * of other users and closed gates. Returns null if no video remains, the batch cannot continue, or the
 * plan ends before.
 */
export async function estimateFinish(
  ctx: Ctx,
  db: Executor,
  remaining: Remaining,
): Promise<Date | null> {
  const { waiting, moving, carried } = remaining
  if (waiting + moving === 0 && carried === null) return null
  const observed = await observe(ctx, db, remaining.userId)
  if (observed.isHeld) return null
  const { closedUntil, heldUntil } = observed
  // Not before the next try of a video on hold, which the page shows beside it.
  const opensAt = [closedUntil, heldUntil].filter((at) => at !== null)
  const latest = opensAt.length === 0 ? null : new Date(Math.max(...opensAt.map(Number)))
  const inputs = { ...remaining, ...observed, closedUntil: latest }
  const day = carried?.until ? lastDay({ ...carried, until: carried.until }) : {}
  const finish = finishEstimate({ ...inputs, ...placesOf(ctx, remaining.speedLimit), ...day })
  return withinPlan(finish, observed.planEnd)
}

/** What is left at the start of a batch's last day, if its days are alike. */
function lastDay({ prompts, until, day, days: all }: Carried & { until: string }) {
  const later = all - day
  const startsAt = new Date(Date.parse(until) + days(later))
  return { waiting: Math.ceil(prompts / (later + 1)), moving: 0, nextRoundAt: startsAt }
}

/** Returns how many videos may be in progress at once, for a user with this pace and in total. */
function placesOf({ settings, provider }: Ctx, speedLimit: number) {
  const platformPlaces = Math.min(settings.maxInFlight, provider.can.maxInFlight ?? Infinity)
  const places = Math.min(platformPlaces, USER_CAP.everything * speedLimit)
  return { places, platformPlaces }
}

/**
 * Returns the inputs for the receipt of the account's next batch, and the current database time.
 */
export async function getEstimateInputs(
  ctx: UserCtx,
  account: Account,
  quota: Pick<QuotaView, 'limit' | 'used' | 'remaining' | 'clipUnits' | 'resetsAt'>,
): Promise<{ estimateInputs: Omit<EstimateInputs, 'ahead'>; now: Date }> {
  const observed = await observe(ctx, ctx.db, account.id)
  const { now, videoMs, betweenMs, isQueue, closedUntil, others } = observed
  const { limit, used, remaining, clipUnits, resetsAt } = quota
  const { speedLimit, videoGenerationSpeed: delaySeconds, videoLimit, expiryDate } = account
  const estimateInputs = {
    speedLimit,
    delaySeconds,
    videoMs,
    betweenMs,
    isQueue,
    others,
    limit,
    used,
    remaining,
    clipUnits,
    ...placesOf(ctx, speedLimit),
    closedUntil: closedUntil?.toISOString() ?? null,
    perDay: remainingClips(videoLimit, clipUnits),
    resetsAt,
    planEnd: expiryDate?.toISOString() ?? null,
  }
  return { now, estimateInputs }
}
