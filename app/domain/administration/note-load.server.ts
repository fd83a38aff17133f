import sql from 'sql-template-tag'
import type { Deps } from '../context'
import { ONLINE_USERS } from './online.server'

/**
 * Notes how many users are online and how long the line is, for the overview. Of several times within
 * a quarter of an hour the highest numbers stay.
 */
export async function noteLoad({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.run(sql`
    insert into load_peaks as peak (starts_at, online, waiting, held)
    select date_bin('15 minutes', engine_now(), 'epoch'), ${ONLINE_USERS}, count(*),
      count(*) filter (where state = 'held')
    from line_entries
    on conflict (starts_at) do update set online = greatest(peak.online, excluded.online),
      waiting = greatest(peak.waiting, excluded.waiting), held = greatest(peak.held, excluded.held)`)
}
