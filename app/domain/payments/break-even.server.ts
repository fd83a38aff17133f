import sql from 'sql-template-tag'
import { unitsOfClip } from '../accounts/columns.server'
import { getPlans, getVideoCosts } from '../business/settings.server'
import type { VideoCosts } from '../business/types'
import type { Deps } from '../context'
import { today } from '../days.server'
import { offeredPlans } from '../plans/catalogue'
import type { Plans } from '../plans/types'
import { readRoute } from '../route'
import {
  breakEvenText,
  costAt,
  losesMoney,
  paysFor,
  type BreakEvens,
  type PlanUse,
  type SoldBreakEven,
} from './break-even'

type Reads = Pick<Deps, 'db' | 'settings'>

/**
 * Returns each plan's price beside what its videos cost, from the kept counts of the last 30 days. Empty
 * without a cost, and in a currency in which plans have no price. A video costs what it costs at the
 * plan's provider, not at its stand-in.
 */
export async function getBreakEvens(
  { db, settings }: Reads,
  plans: Plans,
  costs: VideoCosts | null,
): Promise<BreakEvens> {
  const limits = Object.values(plans).flatMap((plan) => {
    const cost = costs && costAt(costs, readRoute(plan.route).provider)
    const limit = cost && paysFor(plan, cost)
    return limit === null ? [] : [{ plan: plan.name, limit, cost }]
  })
  if (limits.length === 0) return {}
  const uses = await db.rows<PlanUse>(sql`
    select sold.plan, count(used)::int as accounts,
      coalesce(percentile_disc(0.5) within group (order by used), 0)::int as median,
      count(*) filter (where used > sold."limit")::int as above
    from jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) as sold(plan text, "limit" int)
    left join (
      select users.plan::text, coalesce(sum(reserved + charged), 0) / ${unitsOfClip(sql`users.clip_units`)} as used
      from users left join quota_days on user_id = users.id and day > ${today(settings.timeZone)} - 30
      where role = 'user' and is_active and deleted_at is null
        and (expiry_date is null or expiry_date > engine_now())
        and created_at <= engine_now() - interval '30 days'
      group by users.id
    ) as accounts on accounts.plan = sold.plan
    group by sold.plan`)
  return Object.fromEntries(
    limits.flatMap(({ plan, limit, cost }) =>
      uses
        .filter((use) => use.plan === plan)
        .map((use) => [plan, { ...use, cost, paysFor: limit }]),
    ),
  )
}

/** Returns the plans that are offered, in their order, beside what their videos cost. */
export async function getSoldBreakEvens(deps: Reads): Promise<SoldBreakEven[]> {
  const [plans, costs] = await Promise.all([getPlans(deps.db), getVideoCosts(deps.db)])
  const breakEvens = await getBreakEvens(deps, plans, costs)
  return offeredPlans(plans).flatMap(({ name }) => {
    const one = breakEvens[name]
    return one ? [{ text: breakEvenText(name, one), loses: losesMoney(one) }] : []
  })
}
