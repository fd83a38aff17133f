import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { ACTIVE } from '../videos/engine/attempts.server'
import { NEWEST_ORDERS } from './types'

export type AttemptFigures = {
  /** Orders in progress. */
  active: { state: string; n: number; oldestSeconds: number }[]
  /** Orders that ended within the last hour, limited to the newest ones. */
  ended: { state: string; provider: string; fault: string; n: number }[]
}

/** Counts orders by state. Reads only those in progress and the newest ones. */
export async function getAttemptFigures(db: Executor): Promise<AttemptFigures> {
  const [active, ended] = await Promise.all([
    db.rows<AttemptFigures['active'][number]>(sql`
      select state, count(*)::int as n,
        greatest(extract(epoch from engine_now() - min(created_at)), 0)::float as "oldestSeconds"
      from attempts where state in (${ACTIVE}) group by state`),
    db.rows<AttemptFigures['ended'][number]>(sql`
      select state, provider, coalesce(fault, 'none') as fault, count(*)::int as n
      from (select state, provider, fault, settled_at from attempts order by id desc limit ${NEWEST_ORDERS}) as newest
      where settled_at > engine_now() - interval '1 hour'
      group by 1, 2, 3`),
  ])
  return { active, ended }
}
