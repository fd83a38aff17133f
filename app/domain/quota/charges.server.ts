import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import { AppError } from '../errors'
import { quotaRefusal, remainingUnits } from './rules'
import type { ChargeReason } from './types'

export type Reservation = { day: string; epoch: number }

type Request = { userId: string; limit: number; units: number; timeZone: string }

/**
 * Takes `units` of today's quota, all of them or none: one conditional statement, so that any
 * number of parallel requests gets exactly what is left. Throws QUOTA_EXCEEDED.
 */
export async function reserveUnits(tx: Tx, request: Request): Promise<Reservation> {
  const { userId, limit, units, timeZone } = request
  const taken = await tx.row<Reservation>(sql`
    insert into quota_days as q (user_id, day, reserved)
    select ${userId}, (engine_now() at time zone ${timeZone})::date, ${units}::int
    where ${units}::int <= ${limit}::int
    on conflict (user_id, day) do update set reserved = q.reserved + excluded.reserved
      where q.reserved + q.charged + excluded.reserved <= ${limit}::int
    returning day, epoch`)
  return taken ?? (await refuse(tx, request))
}

async function refuse(db: Executor, { userId, limit, units, timeZone }: Request): Promise<never> {
  const today = await db.row<{ used: number; seconds: number }>(sql`
    select
      coalesce((select reserved + charged from quota_days where user_id = ${userId} and day = today), 0)::int as used,
      ceil(extract(epoch from ((today + 1)::timestamp at time zone ${timeZone}) - engine_now()))::int as seconds
    from (select (engine_now() at time zone ${timeZone})::date as today) as clock`)
  const remaining = remainingUnits(limit, today?.used ?? limit)
  throw new AppError('QUOTA_EXCEEDED', quotaRefusal(remaining, units), {
    retryAfterSeconds: today?.seconds ?? 60,
  })
}

type NewCharge = {
  videoId: string
  generation: number
  userId: string
  reason: ChargeReason
  label: string
}

/** Writes the ledger line of one reserved unit. */
export async function writeCharge(
  tx: Tx,
  charge: NewCharge,
  reservation: Reservation,
): Promise<void> {
  const { videoId, generation, userId, reason, label } = charge
  await tx.run(sql`
    insert into quota_charges (video_id, generation, user_id, day, epoch, reason, label, created_at)
    values (${videoId}, ${generation}, ${userId}, ${reservation.day}, ${reservation.epoch},
      ${reason}, ${label}, engine_now())`)
}

/**
 * Ends a reserved unit: charged on delivery, returned on final failure. Doing it twice changes
 * nothing, and a unit of an epoch before an administrator's reset leaves the counter alone.
 */
export async function settleCharge(
  tx: Tx,
  { videoId, generation }: { videoId: string; generation: number },
  outcome: 'charged' | 'returned',
): Promise<void> {
  await tx.run(sql`
    with settled as (
      update quota_charges set state = ${outcome}::charge_state, settled_at = engine_now()
      where video_id = ${videoId} and generation = ${generation} and state = 'reserved'
      returning user_id, day, epoch
    )
    update quota_days set reserved = reserved - 1,
      charged = charged + ${outcome === 'charged' ? 1 : 0}
    from settled
    where quota_days.user_id = settled.user_id and quota_days.day = settled.day
      and quota_days.epoch = settled.epoch`)
}
