import sql, { type Sql } from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import { secondsToMidnight, today } from '../days.server'
import { AppError } from '../errors'
import { quotaRefusal, remainingClips } from './rules'
import type { ChargeReason } from './types'

export type Reservation = { day: string; epoch: number }

/** `each`: how many units one of the clips uses. */
export type UnitRequest = {
  userId: string
  limit: number
  clips: number
  each: number
  timeZone: string
}

/**
 * Reserves the units of some clips in today's quota, all or none, in one conditional statement. Concurrent
 * requests therefore never get more than what is left. Throws QUOTA_EXCEEDED.
 */
export async function reserveUnits(tx: Tx, request: UnitRequest): Promise<Reservation> {
  return (await tx.row<Reservation>(reserving(request))) ?? (await refuseUnits(tx, request))
}

/**
 * Builds the statement of `reserveUnits`, for use within a larger one. It returns day and epoch, or
 * no row if the quota does not suffice. In that case the caller must call `refuseUnits`.
 */
export const reserving = ({ userId, limit, clips, each, timeZone }: UnitRequest): Sql => sql`
    insert into quota_days as q (user_id, day, reserved, granted_limit)
    select ${userId}, today, ${clips * each}::int, ${limit}::int
    from (select ${today(timeZone)} as today) as clock
    cross join lateral (select coalesce((select gifted from quota_days
      where user_id = ${userId} and day = today), 0) as given) as gift
    where ${clips * each}::int <= ${limit}::int + given
    on conflict (user_id, day) do update set reserved = q.reserved + excluded.reserved,
        granted_limit = excluded.granted_limit
      where q.reserved + q.charged + excluded.reserved <= ${limit}::int + q.gifted
    returning day, epoch`

/** Clips whose units one day had. Without any the epoch means nothing. */
export type RestOfDay = Reservation & { clips: number }

/**
 * Reserves the units of as many whole clips as today's quota has left, at most `clips`, in one conditional
 * statement. Returns how many clips, with the day, also for none.
 */
export async function reserveRest(tx: Tx, request: UnitRequest): Promise<RestOfDay> {
  for (;;) {
    const taken = await tx.one<Omit<RestOfDay, 'epoch'> & { epoch: number | null }>(
      reservingRest(request),
    )
    // Another order has used the first unit of the day meanwhile. Its row is seen now.
    if (taken.epoch === null && taken.clips > 0) continue
    return { ...taken, epoch: taken.epoch ?? 0 }
  }
}

const reservingRest = ({ userId, limit, clips, each, timeZone }: UnitRequest): Sql => sql`
    with seen as materialized (
      select reserved + charged as used, gifted from quota_days
      where user_id = ${userId} and day = ${today(timeZone)} for update
    ), rest as materialized (
      select ${today(timeZone)} as day, least(${clips}::int, greatest(0, ${limit}::int
        + coalesce((select gifted - used from seen), 0)) / ${each}::int) as clips
    ), taken as (
      insert into quota_days as q (user_id, day, reserved, granted_limit)
      select ${userId}, day, clips * ${each}::int, ${limit}::int from rest where clips > 0
      on conflict (user_id, day) do update set reserved = q.reserved + excluded.reserved,
          granted_limit = excluded.granted_limit
        where q.reserved + q.charged + excluded.reserved <= ${limit}::int + q.gifted
      returning epoch
    )
    select rest.day::text as day, rest.clips, taken.epoch from rest left join taken on true`

/** Throws QUOTA_EXCEEDED with the clips that the remaining units allow and the seconds until midnight. */
export async function refuseUnits(
  db: Executor,
  { userId, limit, clips, each, timeZone }: UnitRequest,
): Promise<never> {
  // Gifted units count as not used.
  const { used, seconds } = await db.one<{ used: number; seconds: number }>(sql`
    select
      coalesce((select reserved + charged - gifted from quota_days
        where user_id = ${userId} and day = ${today(timeZone)}), 0)::int as used,
      ${secondsToMidnight(timeZone)} as seconds`)
  throw new AppError('QUOTA_EXCEEDED', quotaRefusal(remainingClips(limit - used, each), clips), {
    retryAfterSeconds: seconds,
  })
}

type NewCharges = {
  userId: string
  reason: ChargeReason
  /** How many units each of them uses. */
  each: number
  charges: readonly { videoId: string; generation: number; label: string }[]
}

/** Writes the ledger lines of reserved units, one per clip. */
export async function writeCharges(
  tx: Tx,
  charges: NewCharges,
  { day, epoch }: Reservation,
): Promise<void> {
  await tx.run(charging(charges, sql`(select ${day}::date as day, ${epoch}::int as epoch)`))
}

/**
 * Builds the statement of `writeCharges`, for use within a larger one. `reserved` is the query that
 * reserved the units, with the columns day and epoch. If it has no row, nothing is written.
 */
export const charging = ({ userId, reason, each, charges }: NewCharges, reserved: Sql): Sql => sql`
    insert into quota_charges (video_id, generation, user_id, day, epoch, units, reason, label, created_at)
    select video_id, generation, ${userId}, day, epoch, ${each}::int, ${reason}, label, engine_now()
    from ${reserved} as taken cross join unnest(${charges.map((c) => c.videoId)}::uuid[],
      ${charges.map((c) => c.generation)}::int[],
      ${charges.map((c) => c.label)}::text[]) as given(video_id, generation, label)`

type Generation = { videoId: string; generation: number }

/**
 * Settles reserved units: charged on delivery, returned on final failure. Idempotent. A unit from
 * an epoch before an administrator's reset does not change the counter.
 */
export async function settleCharges(
  tx: Tx,
  generations: readonly Generation[],
  outcome: 'charged' | 'returned',
): Promise<void> {
  if (generations.length === 0) return
  await tx.run(sql`
    select settle_charges(${generations.map((g) => g.videoId)}::uuid[],
      ${generations.map((g) => g.generation)}::int[], ${outcome}::charge_state)`)
}
