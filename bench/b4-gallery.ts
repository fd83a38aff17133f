import { time, type Timing } from './measure'
import { read, type Fixture } from './fixture'

const RUNS = 25

/** B4: times pages of a user's own gallery and of all users' videos, at one size of the table. */
export async function gallery({ owner, admin, product }: Fixture, n: number): Promise<Timing[]> {
  const next = await neighbourOf(admin, Math.max(2, Math.floor(n / 24)))
  const last = Math.ceil(n / 12)
  return time(
    [
      { name: 'my videos, first page', run: () => read(owner, '/dashboard?limit=50') },
      { name: 'my videos, last page', run: () => read(owner, '/dashboard?limit=50&page=200') },
      {
        name: 'my videos, three words and a month',
        run: () => read(owner, '/dashboard?limit=50&search=one+other+words&days=month'),
      },
      { name: 'all videos, first page', run: () => read(admin, '/admin/videos') },
      { name: 'all videos, next of the middle', run: () => read(admin, next) },
      { name: 'all videos, last page', run: () => read(admin, `/admin/videos?page=${last}`) },
      { name: 'all videos, failed', run: () => read(admin, '/admin/videos?status=error') },
      { name: 'all videos, search', run: () => read(admin, '/admin/videos?search=load000001') },
      {
        name: 'counters (SQL)',
        run: () =>
          product.db.query(
            'select sum(completed_portrait + completed_landscape), sum(error_portrait + error_landscape) from galleries',
          ),
      },
      {
        name: 'index look-up (SQL)',
        run: () =>
          product.db.query(
            'select id from videos where deleted_at is null order by created_at desc, id desc limit 12',
          ),
      },
    ],
    { n, runs: RUNS },
  )
}

/** Returns the address of 'Next' on a page in the middle. */
async function neighbourOf(admin: Fixture['admin'], page: number): Promise<string> {
  const html = await (await admin.send('GET', `/admin/videos?page=${page}`)).text()
  const href =
    /href="([^"]*after=[^"]*)"[^>]*rel="next"|rel="next"[^>]*href="([^"]*after=[^"]*)"/.exec(html)
  const address = (href?.[1] ?? href?.[2] ?? '').replaceAll('&amp;', '&')
  if (address === '') throw new Error('the page in the middle has no next page')
  return address.startsWith('/') ? address : `/admin/videos${address}`
}
