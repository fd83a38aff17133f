import sql from 'sql-template-tag'
import type { Deps } from '../context'
import { credentialState, isOf } from './state.server'
import type { PoolSummary } from './types'

/**
 * Returns how many pool tokens of the first provider there are by state, and how many tokens died in the last 24 hours.
 */
export async function getPoolSummary({
  db,
  provider,
}: Pick<Deps, 'db' | 'provider'>): Promise<PoolSummary> {
  const row = await db.one<Omit<PoolSummary, 'needsCredential'>>(sql`
    select count(*)::int as total, count(*) filter (where state = 'ok')::int as ok,
      count(*) filter (where state = 'cooling')::int as cooling,
      count(*) filter (where state = 'spent')::int as spent,
      count(*) filter (where state = 'dead')::int as dead,
      (select count(*)::int from token_deaths where died_at > engine_now() - interval '24 hours') as "diedToday",
      exists (select 1 from credentials where is_default and state <> 'dead' and ${isOf(provider)}) as "hasDefault"
    from (select ${credentialState} as state from credentials
      where pool_position is not null and ${isOf(provider)}) as pool`)
  return { ...row, needsCredential: provider.can.needsCredential }
}
