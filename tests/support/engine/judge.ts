import { findViolations } from '../invariants'
import type { Engine } from './engine'

type LedgerRow = { attemptId: string | null; at: number }

/** The invariants of the tables, and those that only the provider's own ledger can tell. */
export async function judge({ pool, desk }: Engine): Promise<Record<string, unknown[]>> {
  const found = await findViolations(pool)
  const ledger = desk.entries()
  await pool.query(`
    create table if not exists test_ledger (attempt_id uuid, sent_at timestamptz);
    truncate test_ledger`)
  await pool.query(`insert into test_ledger select * from unnest($1::uuid[], $2::timestamptz[])`, [
    ledger.map((row: LedgerRow) => row.attemptId),
    ledger.map((row) => new Date(row.at)),
  ])
  for (const [name, text] of Object.entries(BY_LEDGER)) {
    const { rows } = await pool.query<Record<string, unknown>>(text)
    if (rows.length > 0) found[name] = rows
  }
  return found
}

/** The database and this process read two clocks of one machine, and a call takes a moment. */
const SLACK = `interval '1 second'`

const BY_LEDGER: Record<string, string> = {
  'I6 one order an attempt': `
    select attempt_id, count(*) from test_ledger group by attempt_id having count(*) > 1`,
  'I7 every order is recorded': `
    select attempt_id from test_ledger where not exists (select 1 from attempts where id = attempt_id)
      and not exists (select 1 from quota_charges where false)`,
  'I9 a batch sends no faster than its pace': `
    with sent as (
      select batches.id, speed_limit, delay_seconds, rounds.round_no, rounds.size,
        count(*) over (partition by batches.id, rounds.round_no) as orders
      from test_ledger join attempts on attempts.id = test_ledger.attempt_id
        join batches on batches.id = attempts.batch_id
        join lateral (
          select round_no, size from rounds where batch_id = batches.id and fired_at <= test_ledger.sent_at + ${SLACK}
          order by round_no desc limit 1) as rounds on true
      where attempts.n = 1)
    select * from (select id, count(*) as first_orders, (
        select coalesce(sum(size), 0) from rounds where batch_id = sent.id) as released
      from sent group by id) as sums where first_orders > released`,
  'I13 nothing is sent after the end of its batch': `
    select attempts.id from test_ledger join attempts on attempts.id = test_ledger.attempt_id
      join batches on batches.id = attempts.batch_id
    where batches.status = 'cancelled' and attempts.created_at > batches.finished_at + ${SLACK}`,
}
