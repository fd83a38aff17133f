import sql, { type Sql } from 'sql-template-tag'
import type { VideoCosts } from '../../business/types'
import type { AdminCtx } from '../../context'
import { costAt } from '../../payments/break-even'
import { unitOf } from '../../payments/money'
import { nameOf } from '../../providers.server'
import { FIRST_PROVIDER } from '../../route'

/**
 * What a provider has delivered in a time, and of that what tokens with a cost of their own have, with that
 * cost.
 */
export type Deliveries = { provider: string; delivered: number; costed: number; own: number }

/**
 * Builds the deliveries by the platform's day and the provider's name, from kept counts. Those of providers
 * that are not set up any more count as the first one's.
 */
export function deliveriesSince(
  {
    provider,
    otherProviders,
    settings: { timeZone },
  }: Pick<AdminCtx, 'provider' | 'otherProviders' | 'settings'>,
  day: Sql,
): Sql {
  const names = [provider, ...otherProviders].map(nameOf)
  return sql`(
    select day, case when made.provider = any(${names}::text[]) then made.provider else ${FIRST_PROVIDER} end as provider,
      sum(delivered)::int as delivered, sum(costed)::int as costed, sum(own)::float as own
    from (
      select (starts_at at time zone ${timeZone})::date as day, provider, delivered, 0 as costed, 0 as own
      from end_counts where starts_at >= ${day}::timestamp at time zone ${timeZone}
      union all
      select day, coalesce(credentials.provider, ''), 0, delivered, delivered * cost_per_video
      from credential_days join credentials on credentials.id = credential_id and cost_per_video is not null
      where day >= ${day}
    ) as made group by 1, 2)`
}

/**
 * Returns what deliveries have cost. Tokens without a cost of their own have that of a video at their
 * provider.
 */
export const costsOf = (made: readonly Deliveries[], costs: VideoCosts | null): number =>
  made.reduce((sum, { provider, delivered, costed, own }) => {
    const other = costs === null ? 0 : costAt(costs, provider).amount / unitOf(costs.currency)
    return sum + own + Math.max(0, delivered - costed) * other
  }, 0)
