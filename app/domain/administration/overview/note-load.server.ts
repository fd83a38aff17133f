import sql from 'sql-template-tag'
import type { Deps } from '../../context'
import { ONLINE_USERS } from './online.server'
import { UNITS_SOLD } from './units-sold.server'

/**
 * Notes how many users are online, how long the line is and how many units a day are sold, for the
 * overview. Of several times within a quarter of an hour the highest numbers stay.
 */
export async function noteLoad({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.run(sql`
    insert into load_peaks as peak (starts_at, online, waiting, held, sold)
    select date_bin('15 minutes', engine_now(), 'epoch'), ${ONLINE_USERS}, count(*),
      count(*) filter (where state = 'held'), ${UNITS_SOLD}
    from line_entries
    on conflict (starts_at) do update set online = greatest(peak.online, excluded.online),
      waiting = greatest(peak.waiting, excluded.waiting), held = greatest(peak.held, excluded.held),
      sold = greatest(peak.sold, excluded.sold)`)
}
