import { DESK_LISTS } from '../app/domain/administration/users/list-schemas'
import { read, type Fixture } from './fixture'
import { time, type Timing } from './measure'

const RUNS = 15
const PER_PAGE = 50

/** B20: times every page of the operator's desk, at one number of payments and of videos. */
export async function desk(
  { admin, product: { db } }: Fixture,
  { payments, videos }: { payments: number; videos: number },
): Promise<Timing[]> {
  await addPayments(db, payments)
  const one = async (statement: string, values: unknown[] = []): Promise<string> => {
    const { rows } = await db.query<{ value: string }>(statement, values)
    return rows[0]?.value ?? ''
  }
  const oldest = await one(
    'select id as value from payments order by received_at, id offset $1 limit 1',
    [PER_PAGE],
  )
  const month = await one(`select to_char(now() - interval '1 month', 'YYYY-MM') as value`)
  const customer = await one(
    `select user_id as value from payments join users on users.id = user_id
     where deleted_at is null and users.plan = 'Enterprise' order by received_at desc limit 1`,
  )
  const pages = {
    'payments, first page': '/admin/payments',
    'payments, last page': `/admin/payments?after=${oldest}`,
    'payments of a month': `/admin/payments?month=${month}`,
    'payments of a plan and a method': '/admin/payments?plan=Business&method=cash',
    'renewals without a payment': '/admin/payments/unpaid',
    'payments by reference': '/admin/payments?reference=REF-77',
    ...Object.fromEntries(
      DESK_LISTS.map((list) => [`renewals: ${list}`, `/admin/renewals?filter=${list}`]),
    ),
    'renewals, last page': '/admin/renewals?filter=over-80&page=9999',
    'page of a customer': `/admin/users/${customer}`,
    overview: '/admin/overview',
    'all videos by filter': '/admin/videos?status=error&reason=service',
    'all videos of a customer': `/admin/videos?user=${customer}&status=error`,
    helpers: '/admin/helpers',
    plans: '/admin/plans',
    'set-up': '/admin/setup',
    settings: '/admin/settings',
  }
  return time(
    Object.entries(pages).map(([name, path]) => ({ name, run: () => read(admin, path) })),
    { n: videos, runs: RUNS },
  )
}

/** Adds payments of the customers up to this number, over two years, with the changes that they paid for. */
async function addPayments(db: Fixture['product']['db'], count: number): Promise<void> {
  await db.query(
    `with customers as (
       select id, username, plan, row_number() over (order by id) - 1 as place
       from users where username like 'load%' and plan is not null
     ), paid as (
       select gen_random_uuid() as id, gen_random_uuid() as change_id, customers.id as user_id, username, plan,
         n, now() - n * interval '730 days' / $1::int as at
       from generate_series(0, $1::int - 1 - (select count(*)::int from payments)) as n
       join customers on place = n % (select count(*) from customers)
     ), changes as (
       insert into bulk_changes (id, kind, actor_id, actor_name, count, created_at)
       select change_id, 'renew', user_id, 'bench', 1, at from paid
     ), changed as (
       insert into bulk_change_users (change_id, user_id, before, after)
       select change_id, user_id, '{}', '{}' from paid
     )
     insert into payments (id, user_id, username, plan, amount, currency, method, reference, reference_key,
       received_at, recorded_by, state, decided_at, decided_by, change_id, period_from)
     select id, user_id, username, plan, 50000, 'PKR', (array['bank', 'cash', 'wallet'])[1 + n % 3], 'REF-' || n,
       'ref' || n, at, 'bench', 'confirmed', at, 'bench', change_id, at from paid`,
    [count],
  )
  await db.query('vacuum analyze payments, bulk_changes, bulk_change_users')
}
