import sql from 'sql-template-tag'
import type { AdminCtx, Deps } from '../context'
import { isoText } from '../iso-text.server'
import { coolUntil, credentialState } from './state.server'
import type { PoolSummary, PoolTokenHealth } from './types'

/** Tokens per page of the pool. */
const POOL_PAGE_SIZE = 50

/**
 * Returns how many pool tokens there are by state, and how many tokens died in the last 24 hours.
 */
export async function getPoolSummary({
  db,
  provider,
}: Pick<Deps, 'db' | 'provider'>): Promise<PoolSummary> {
  const row = await db.one<Omit<PoolSummary, 'needsCredential'>>(sql`
    select count(*)::int as total, count(*) filter (where state = 'ok')::int as ok,
      count(*) filter (where state = 'cooling')::int as cooling,
      count(*) filter (where state = 'dead')::int as dead,
      (select count(*)::int from token_deaths where died_at > engine_now() - interval '24 hours') as "diedToday",
      exists (select 1 from credentials where is_default and state <> 'dead') as "hasDefault"
    from (select ${credentialState} as state from credentials where pool_position is not null) as pool`)
  return { ...row, needsCredential: provider.can.needsCredential }
}

export type PoolPage = { tokens: PoolTokenHealth[]; next: number | null }

/** Lists one page of the pool in its order, starting after position `after`. */
export async function listPoolHealth(
  { db }: AdminCtx,
  { after, limit = POOL_PAGE_SIZE }: { after: number; limit?: number },
): Promise<PoolPage> {
  const rows = await db.rows<PoolTokenHealth>(sql`
    select id, mask as token, pool_position as position,
      ${isoText(sql`last_assigned_at`)} as "lastAssignedAt", ${credentialState} as state,
      ${isoText(coolUntil)} as "coolUntil", last_error as "lastError",
      ${isoText(sql`last_error_at`)} as "lastErrorAt",
      (select count(*)::int from users where credential_id = credentials.id and users.deleted_at is null) as holders,
      recent.delivered, recent.ended
    from credentials cross join lateral (
      select count(*) filter (where attempts.state = 'done')::int as delivered, count(*)::int as ended
      from attempts where credential_id = credentials.id and attempts.created_at > engine_now() - interval '24 hours'
        and attempts.state in ('done', 'failed', 'orphaned', 'abandoned')) as recent
    where pool_position > ${after}
    order by pool_position limit ${limit + 1}`)
  const tokens = rows.slice(0, limit)
  return { tokens, next: rows.length > limit ? (tokens.at(-1)?.position ?? null) : null }
}
