import sql from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { Ctx } from '../context'
import { AppError } from '../errors'

/** The row of `trial_days` that counts everybody. */
const PLATFORM = ''

/** Whether the account is on the trial it registered with: whatever was sold to it since ends that. */
const ON_TRIAL = sql`users.plan = 'Starter' and users.expiry_date = trials.ends_at
  and users.video_limit = trials.video_limit`

/** The network that a row of `users` is on trial from, as a column; null for everybody else. */
export const trialNetwork = sql`
  (select network from trials where trials.user_id = users.id and ${ON_TRIAL})`

type TrialUnits = { network: string | null; units: number }

/**
 * Counts what an account on trial orders, in the transaction that accepts it and behind every other
 * lock of it but the users' turns: all such orders meet in one row. Throws RATE_LIMITED when the day
 * of its network or of the platform is used up. What fails later is not given back: it was ordered.
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
    select (engine_now() at time zone ${timeZone})::date, scope, ${units}::int
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

async function secondsToTomorrow(db: Executor, timeZone: string): Promise<number> {
  const row = await db.row<{ seconds: number }>(sql`
    select ceil(extract(epoch from ((today + 1)::timestamp at time zone ${timeZone}) - engine_now()))::int as seconds
    from (select (engine_now() at time zone ${timeZone})::date as today) as clock`)
  return row?.seconds ?? 60
}

export type TrialUse = { platform: number; busiestNetwork: number }

/** What was ordered on trial today: by everybody, and from the busiest network. */
export async function getTrialUse({
  db,
  settings,
}: Pick<Ctx, 'db' | 'settings'>): Promise<TrialUse> {
  const row = await db.row<TrialUse>(sql`
    select coalesce(max(used) filter (where network = ${PLATFORM}), 0)::int as platform,
      coalesce(max(used) filter (where network <> ${PLATFORM}), 0)::int as "busiestNetwork"
    from trial_days where day = (engine_now() at time zone ${settings.timeZone})::date`)
  return row ?? { platform: 0, busiestNetwork: 0 }
}
