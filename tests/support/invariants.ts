import type pg from 'pg'
import { INVARIANTS } from '../../app/domain/health/invariants.server'

/** Stricter invariants for tests, which can check every row. */
const STRICTER: Record<string, string> = {
  'I2 nothing is stuck, however young': `
    select id, status from videos where status in ('pending', 'generating') and deleted_at is null
      and not exists (select 1 from line_entries where video_id = videos.id)
      and not exists (select 1 from attempts where video_id = videos.id
        and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown'))
      and not (awaits_round and exists (
        select 1 from batches where id = videos.batch_id and batches.status = 'processing'))`,
  'galleries count everything': `
    select galleries.* from galleries cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'generating')::int as generating,
        count(*) filter (where status = 'completed')::int as completed,
        count(*) filter (where status = 'error')::int as error,
        count(*) filter (where status = 'error' and error_code = 'cancelled')::int as cancelled
      from videos where videos.user_id = galleries.user_id and deleted_at is null) as there
    where (pending_portrait + pending_landscape, generating_portrait + generating_landscape,
      completed_portrait + completed_landscape, error_portrait + error_landscape, galleries.cancelled)
      <> (there.pending, there.generating, there.completed, there.error, there.cancelled)`,
}

/** Returns the violations by invariant; empty if all hold. */
export async function findViolations(db: pg.Pool): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  const product = Object.entries(INVARIANTS).map(([name, { text, values }]) => ({
    name,
    text,
    values,
  }))
  const stricter = Object.entries(STRICTER).map(([name, text]) => ({ name, text, values: [] }))
  for (const { name, text, values } of [...product, ...stricter]) {
    const { rows } = await db.query<Record<string, unknown>>(text, values)
    if (rows.length > 0) found[name] = rows
  }
  return found
}
