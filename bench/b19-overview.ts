import { time, type Timing } from './measure'
import { read, type Fixture } from './fixture'

const RUNS = 25

/** B19: times the overview and what administrators see above their own videos, at one number of videos. */
export async function overview({ admin, product }: Fixture, videos: number): Promise<Timing[]> {
  // The last two days, which the load leaves out because their ledger would be missing.
  await product.db.query(`
    insert into end_counts (starts_at, slot, delivered, failed, times)
    select at, slot, 30, 2, array_fill(0, array[20]) || array[10, 10, 10] || array_fill(0, array[33])
    from generate_series(date_bin('15 minutes', now(), 'epoch') - interval '3 days', now(), '15 minutes') as at,
      generate_series(0, 3) as slot
    on conflict do nothing`)
  await product.db.query(`
    insert into load_peaks (starts_at, online, waiting, held)
    select at, 400, 2000, 100
    from generate_series(date_bin('15 minutes', now(), 'epoch') - interval '31 days', now(), '15 minutes') as at
    on conflict do nothing`)
  await product.db.query('vacuum analyze end_counts, load_peaks')
  return time(
    [
      { name: 'overview', run: () => read(admin, '/admin/overview') },
      { name: 'my videos of an administrator', run: () => read(admin, '/dashboard') },
    ],
    { n: videos, runs: RUNS },
  )
}
