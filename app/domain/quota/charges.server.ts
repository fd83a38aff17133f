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
    insert into quota_days as q (user_id, day, reserved, granted_limit)
    select ${userId}, today, ${units}::int, ${limit}::int
    from (select (engine_now() at time zone ${timeZone})::date as today) as clock
    cross join lateral (select coalesce((select gifted from quota_days
      where user_id = ${userId} and day = today), 0) as given) as gift
    where ${units}::int <= ${limit}::int + given
    on conflict (user_id, day) do update set reserved = q.reserved + excluded.reserved,
        granted_limit = excluded.granted_limit
      where q.reserved + q.charged + excluded.reserved <= ${limit}::int + q.gifted
    returning day, epoch`)
  return taken ?? (await refuse(tx, request))
}

async function refuse(db: Executor, { userId, limit, units, timeZone }: Request): Promise<never> {
  // What was given for today counts as not used.
  const today = await db.row<{ used: number; seconds: number }>(sql`
    select
      coalesce((select reserved + charged - gifted from quota_days where user_id = ${userId} and day = today), 0)::int as used,
      ceil(extract(epoch from ((today + 1)::timestamp at time zone ${timeZone}) - engine_now()))::int as seconds
    from (select (engine_now() at time zone ${timeZone})::date as today) as clock`)
  const remaining = remainingUnits(limit, today?.used ?? limit)
  throw new AppError('QUOTA_EXCEEDED', quotaRefusal(remaining, units), {
    retryAfterSeconds: today?.seconds ?? 60,
  })
}

type NewCharges = {
  userId: string
  reason: ChargeReason
  charges: readonly { videoId: string; generation: number; label: string }[]
}

/** Writes the ledger lines of reserved units, one a video. */
export async function writeCharges(
  tx: Tx,
  { userId, reason, charges }: NewCharges,
  { day, epoch }: Reservation,
): Promise<void> {
  await tx.run(sql`
    insert into quota_charges (video_id, generation, user_id, day, epoch, reason, label, created_at)
    select video_id, generation, ${userId}, ${day}, ${epoch}, ${reason}, label, engine_now()
    from unnest(${charges.map((c) => c.videoId)}::uuid[], ${charges.map((c) => c.generation)}::int[],
      ${charges.map((c) => c.label)}::text[]) as given(video_id, generation, label)`)
}

type Generation = { videoId: string; generation: number }

/**
 * Ends reserved units: charged on delivery, returned on final failure. Doing it twice changes
 * nothing, and a unit of an epoch before an administrator's reset leaves the counter alone.
 */
export async function settleCharges(
  tx: Tx,
  generations: readonly Generation[],
  outcome: 'charged' | 'returned',
): Promise<void> {
  if (generations.length === 0) return
  await tx.run(sql`
    with settled as (
      update quota_charges set state = ${outcome}::charge_state, settled_at = engine_now()
      from unnest(${generations.map((g) => g.videoId)}::uuid[],
        ${generations.map((g) => g.generation)}::int[]) as given(video_id, generation)
      where quota_charges.video_id = given.video_id
        and quota_charges.generation = given.generation and state = 'reserved'
      returning user_id, day, epoch
    ), units as (
      select user_id, day, epoch, count(*)::int as n from settled group by user_id, day, epoch
    )
    update quota_days set reserved = reserved - n, charged = charged + n * ${outcome === 'charged' ? 1 : 0}
    from units
    where quota_days.user_id = units.user_id and quota_days.day = units.day
      and quota_days.epoch = units.epoch`)
}
