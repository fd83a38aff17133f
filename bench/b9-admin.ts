import { time, type Timing } from './measure'
import { read, type Fixture } from './fixture'

const RUNS = 25

/** B9: times the administrators' user page and list call, at one number of users. */
export function adminLists({ admin, product }: Fixture, users: number): Promise<Timing[]> {
  return time(
    [
      { name: 'users page', run: () => read(admin, '/admin') },
      { name: 'users call, 50', run: () => read(admin, '/api/admin/users?page=1&limit=50') },
      {
        name: 'SELECT of 50 users (SQL)',
        run: () => product.db.query('select * from users order by created_at desc limit 50'),
      },
    ],
    { n: users, runs: RUNS },
  )
}
