import type pg from 'pg'

/**
 * What must hold after every integration test, each as a statement that finds the violations
 * (numbers as in docs/architecture.md, "What always holds").
 */
const INVARIANTS: Record<string, string> = {
  'I2 none stuck': `
    select id from videos where status in ('pending', 'generating') and deleted_at is null
      and not exists (select 1 from line_entries where video_id = videos.id)
      and not exists (select 1 from attempts where video_id = videos.id
        and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown'))`,
  'I4 one charge a generation, counters are sums': `
    select quota_days.* from quota_days cross join lateral (
      select count(*) filter (where state = 'reserved')::int as reserved,
        count(*) filter (where state = 'charged')::int as charged
      from quota_charges as c
      where c.user_id = quota_days.user_id and c.day = quota_days.day and c.epoch = quota_days.epoch) as ledger
    where (quota_days.reserved, quota_days.charged) <> (ledger.reserved, ledger.charged)`,
  'I4 ended generations are settled': `
    select videos.id from videos join quota_charges as c on c.video_id = videos.id and c.generation = videos.generation
    where (status = 'completed' and state <> 'charged' and error_message is null)
      or (status = 'error' and state <> 'returned')`,
  'I8 at most one orphan a generation': `
    select video_id from attempts where state = 'orphaned' group by video_id, generation having count(*) > 1`,
  'I8 at most one delivery a generation': `
    select video_id from attempts where state = 'done' group by video_id, generation having count(*) > 1`,
  'I11 completed means stored': `
    select id from videos where status = 'completed' and (file_key is null or file_sha256 is null or file_bytes is null)`,
  'galleries count what is there': `
    select galleries.* from galleries cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'generating')::int as generating,
        count(*) filter (where status = 'completed')::int as completed,
        count(*) filter (where status = 'error')::int as error
      from videos where videos.user_id = galleries.user_id and deleted_at is null) as there
    where (pending_portrait + pending_landscape, generating_portrait + generating_landscape,
      completed_portrait + completed_landscape, error_portrait + error_landscape)
      <> (there.pending, there.generating, there.completed, there.error)`,
}

/** The violations by invariant; empty when everything holds. */
export async function findViolations(db: pg.Pool): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [name, statement] of Object.entries(INVARIANTS)) {
    const { rows } = await db.query<Record<string, unknown>>(statement)
    if (rows.length > 0) found[name] = rows
  }
  return found
}
