import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { Ctx } from '../context'
import { secondsToMidnight, today } from '../days.server'
import { AppError } from '../errors'

/** The key in `trial_days` that counts all users. */
const PLATFORM = ''

/**
 * Condition for an account that is still on its trial. Any change of plan, limit or expiry ends the
 * trial.
 */
const ON_TRIAL = sql`users.plan = 'Starter' and users.expiry_date = trials.ends_at
  and users.video_limit = trials.video_limit`

/**
 * Column for a row of `users`: the network it registered its trial from, or null if it is not on
 * trial.
 */
export const trialNetwork = sql`
  (select network from trials where trials.user_id = users.id and ${ON_TRIAL})`

/** Condition for a row of `users` that is still on its trial. */
export const isOnTrial = sql`exists (select from trials where trials.user_id = users.id and ${ON_TRIAL})`

type TrialUnits = { network: string | null; units: number }

/**
 * Counts the units that an account on trial orders, within the transaction that accepts them. This
 * is the last lock taken except the users' turns, because all such orders share one row. Throws
 * RATE_LIMITED if the daily allowance of the network or the platform is used up. Failed videos are
 * not refunded.
 */
export async function takeTrialUnits(
  { settings }: Pick<Ctx, 'settings'>,
  tx: Tx,
  { network, units }: TrialUnits,
): Promise<void> {
  if (network === null) return
  const { timeZone, trial } = settings
  const taken = await tx.run(sql`
    insert into trial_days as counted (day, network, used)
    select ${today(timeZone)}, scope, ${units}::int
    from (values (${PLATFORM}, ${trial.mostPerDay}::int), (${network}, ${trial.mostPerNetwork}::int))
      as caps(scope, most)
    where ${units}::int <= most order by scope
    on conflict (day, network) do update set used = counted.used + excluded.used
      where counted.used + excluded.used <=
        case excluded.network when ${PLATFORM} then ${trial.mostPerDay}::int else ${trial.mostPerNetwork}::int end`)
  if (taken < 2) {
    throw new AppError(
      'RATE_LIMITED',
      'Today’s free trial videos are used up. Try again tomorrow, or choose a plan on the pricing page.',
      { retryAfterSeconds: await secondsToTomorrow(tx, timeZone) },
    )
  }
}

/**
 * Returns how many units an account may order today as far as its trial is concerned. Another order
 * may take them before `takeTrialUnits` does.
 */
export async function trialUnitsLeft(
  { settings }: Pick<Ctx, 'settings'>,
  tx: Tx,
  network: string | null,
): Promise<number> {
  if (network === null) return Infinity
  const { timeZone, trial } = settings
  const { left } = await tx.one<{ left: number }>(sql`
    select greatest(0, min(most - coalesce(used, 0)))::int as left
    from (values (${PLATFORM}, ${trial.mostPerDay}::int), (${network}, ${trial.mostPerNetwork}::int))
      as caps(scope, most)
    left join trial_days on network = scope and day = ${today(timeZone)}`)
  return left
}

async function secondsToTomorrow(db: Executor, timeZone: string): Promise<number> {
  const { seconds } = await db.one<{ seconds: number }>(sql`
    select ${secondsToMidnight(timeZone)} as seconds`)
  return seconds
}

export type TrialUse = { platform: number; busiestBlock: number }

/** Returns the units ordered on trial today: by all users, and from the busiest block. */
export async function getTrialUse({
  db,
  settings,
}: Pick<Ctx, 'db' | 'settings'>): Promise<TrialUse> {
  return db.one<TrialUse>(sql`
    select coalesce(max(used) filter (where network = ${PLATFORM}), 0)::int as platform,
      coalesce(max(used) filter (where network <> ${PLATFORM}), 0)::int as "busiestBlock"
    from trial_days where day = ${today(settings.timeZone)}`)
}
