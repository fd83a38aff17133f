import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { Ctx } from '../context'
import { USER_CAP } from '../videos/line.server'
import { finishEstimate } from './rules'

/** Deliveries that an estimate looks back at. */
const LOOK_BACK = 20

type Remaining = {
  waiting: number
  moving: number
  speedLimit: number
  delaySeconds: number
  nextRoundAt: Date | null
}

/** How long one video takes lately, in milliseconds; what the provider is known for, until there are any. */
export async function observedVideoMs(
  { provider }: Ctx,
  db: Executor,
): Promise<{ now: Date; videoMs: number }> {
  const row = await db.row<{ now: Date; ms: number | null }>(sql`
    select engine_now() as now, (
      select avg(extract(epoch from settled_at - sent_at)) * 1000 from (
        select settled_at, sent_at from attempts where state = 'done'
        order by settled_at desc limit ${LOOK_BACK}) as latest)::float as ms`)
  return { now: row?.now ?? new Date(), videoMs: row?.ms ?? provider.can.expectedMs }
}

/** When a batch's last video should be there; null when nothing remains. */
export async function estimateFinish(
  ctx: Ctx,
  db: Executor,
  remaining: Remaining,
): Promise<Date | null> {
  const observed = await observedVideoMs(ctx, db)
  const cap = Math.min(ctx.settings.maxInFlight, ctx.provider.can.maxInFlight ?? Infinity)
  const places = Math.min(cap, USER_CAP.everything * remaining.speedLimit)
  return finishEstimate({ ...remaining, ...observed, places })
}
