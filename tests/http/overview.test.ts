import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { makeVideos } from '../support/videos'

// Issue 38, item 1: how business goes, from kept counts.

const product = useInstallation()
let admin: TestUser
let user: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
  user = await product.user({ plan: 'Business' })
})
beforeEach(async () => {
  await product.db.query('delete from end_counts')
  await product.db.query('delete from load_peaks')
})

type Count = { ago?: string; delivered?: number; failed?: number; step?: number; slot?: number }

/** Adds a kept count, all of whose deliveries took the time of one step. */
const addCount = ({ ago = '1 hour', delivered = 0, failed = 0, step = 20, slot = 0 }: Count) =>
  product.db.query(
    `insert into end_counts (starts_at, slot, delivered, units, failed, times)
     select date_bin('15 minutes', engine_now() - $1::interval, 'epoch'), $2, $3, $3, $4,
       (select array_agg(case when n = $5 then $3::int else 0 end) from generate_series(1, 56) as n)`,
    [ago, slot, delivered, failed, step],
  )

const open = async () => (await openPage(admin, '/admin/overview')).text

describe('the overview', () => {
  test('adds up the counters of hours and days, and leads to the videos', async () => {
    await addCount({ delivered: 90, failed: 7 })
    await addCount({ delivered: 30, slot: 1 })
    await addCount({ ago: '20 days', delivered: 1000 })
    await addCount({ ago: '40 days', delivered: 5 })
    const { text, html } = await openPage(admin, '/admin/overview')
    expect(text).toContain(
      '120 videos delivered, 7 failed tries (5.5 %), with refused prompts and repeats.',
    )
    expect(text).toContain('1,120 videos delivered, 7 failed tries (0.6 %)')
    expect(html).toMatch(/href="\/admin\/videos\?status=error&amp;first=[\d-]+&amp;last=[\d-]+"/)
    expect(html).toMatch(/href="\/admin\/videos\?status=completed&amp;first=/)
  })

  test('O5: what is failed now is the number of All Videos, each with its link; tries are called tries', async () => {
    const user = await product.user()
    await product.db.query(
      `update galleries set error_portrait = error_portrait + 3, cancelled = cancelled + 1 where user_id = $1`,
      [user.userId],
    )
    const { text, html } = await openPage(admin, '/admin/overview')
    const all = (await openPage(admin, '/admin/videos')).text
    const failed = /Failed ([\d,]+) Cancelled/.exec(all)?.[1]
    expect(Number(failed)).toBeGreaterThanOrEqual(2)
    expect(text).toContain(`${failed} videos failed and not made again`)
    expect(html).toContain('href="/admin/videos?status=error"')
    const system = await openPage(admin, '/admin/system')
    expect(system.html).toContain('href="/admin/videos?status=error"')
    await product.db.query(
      `update galleries set error_portrait = error_portrait - 3, cancelled = cancelled - 1 where user_id = $1`,
      [user.userId],
    )
  })

  test('says how long half and 95 of 100 of the deliveries took', async () => {
    await addCount({ delivered: 90, step: 20 })
    await addCount({ delivered: 10, step: 28, slot: 1 })
    expect(await open()).toMatch(/The slowest hour was .*: 95 of 100 within 118 s\./)
    expect(await open()).toMatch(/Half of them within 30 95 of 100 within 118/)
  })

  test('shows the highest numbers of each hour: users online, and the line with those on hold', async () => {
    await product.db.query(
      `insert into load_peaks (starts_at, online, waiting, held)
       values (date_bin('1 hour', engine_now(), 'epoch'), 12, 300, 40),
         (date_bin('1 hour', engine_now(), 'epoch') - interval '3 hours', 5, 20, 0)`,
    )
    const text = await open()
    expect(text).toMatch(/At most 12 users: from .*, now\./)
    expect(text).toMatch(/At most 300 videos: from .*, now\./)
    expect(text).toMatch(/Ready 260 On hold 40/)
  })

  test('compares what was used with what was sold; accounts that ended or are off sell nothing', async () => {
    await product.user({ plan: 'Starter', expiry_date: new Date(Date.now() - 1000) })
    await product.db.query(
      `insert into quota_days (user_id, day, charged) values ($1, engine_now()::date, 100)`,
      [user.userId],
    )
    const sold = await product.db.query<{ n: number }>(
      `select sum(video_limit)::int as n from users where role = 'user' and plan is not null
         and is_active and deleted_at is null and (expiry_date is null or expiry_date > now())`,
    )
    await product.db.query(
      `insert into load_peaks (starts_at, online, waiting, held, sold)
       values (date_bin('15 minutes', engine_now(), 'epoch'), 0, 0, 0, 450)`,
    )
    await addCount({ ago: '0', delivered: 120 })
    const text = await open()
    expect(text).toContain(`Today 100 of ${sold.rows[0]?.n.toLocaleString('en')} sold`)
    expect(text).toMatch(/Used 120 Sold 450/)
    await product.db.query('delete from quota_days')
  })

  test('adds up the cost of deliveries if tokens have a cost', async () => {
    expect(await open()).not.toContain('Cost of deliveries')
    await product.db.query(
      `with key as (insert into credentials (id, kind, account_scope, account, secret_cipher, fingerprint, mask, cost_per_video)
         values (gen_random_uuid(), 'static-bearer', 'x', 'x', '\\x00', 'overview', 'm', 0.4) returning id)
       insert into credential_days (credential_id, day, delivered) select id, engine_now()::date, 25 from key`,
    )
    expect(await open()).toContain('10.00 in 30 days')
    await product.db.query(`delete from credential_days`)
    await product.db.query(`delete from credentials where fingerprint = 'overview'`)
  })

  test('shows what was sold by week and plan, and the margin where the cost of a video is set', async () => {
    const [fresh, old, former] = [await product.user(), await product.user(), await product.user()]
    const pay = (userId: string, ago: string, amount: number, currency = 'PKR') =>
      product.db.query(
        `insert into payments (id, user_id, username, plan, amount, currency, method, received_at, recorded_by,
           state, decided_at, decided_by, change_id, period_from, refunded)
         values (gen_random_uuid(), $1, 'x', 'Business', $2, $3, 'bank', engine_now() - $4::interval, 'x',
           'confirmed', now(), 'x', gen_random_uuid(), now(), 0)`,
        [userId, amount, currency, ago],
      )
    await pay(fresh.userId, '1 minute', 150_000)
    await pay(old.userId, '400 days', 150_000)
    // A customer of long ago, whose first payments were not recorded.
    await product.db.query(
      `update users set created_at = created_at - interval '400 days' where id = $1`,
      [former.userId],
    )
    await pay(former.userId, '1 minute', 1000, 'USD')
    await pay(old.userId, '20 days', 150_000)
    await pay(old.userId, '1 minute', 800, 'USD')
    await product.db.query(
      `with change as (insert into bulk_changes (id, kind, actor_id, actor_name, count, created_at)
         values (gen_random_uuid(), 'renew', $1, 'x', 1, engine_now()) returning id)
       insert into bulk_change_users (change_id, user_id, before, after) select id, $1, '{}', '{}' from change`,
      [old.userId],
    )
    await addCount({ ago: '1 day', delivered: 100 })
    const before = await open()
    expect(before).toContain('1 new customer and 3 renewals, upgrades included.')
    expect(before).toContain('1 renewal without a payment is not counted.')
    expect(before).toMatch(/Business: payments per week .* New customers 1 Renewals 2/)
    expect(before).not.toMatch(/Starter: payments|Margin/)
    const cost = { intent: 'video-cost', amount: '12.50', currency: 'PKR' }
    expect((await sendForm(admin, '/admin/plans', cost)).text).toContain('Cost saved')
    expect(await open()).toContain(
      '3,000.00 PKR kept, 1,250.00 cost, margin 1,750.00 (58 %). Payments in other currencies are not counted.',
    )
    await sendForm(admin, '/admin/plans', { ...cost, amount: '' })
    expect(await open()).not.toContain('Margin')
    await product.db.query('delete from payments')
    await product.db.query('delete from bulk_changes')
  })

  test('issue 51.11: its figures are above the videos of an administrator who has some', async () => {
    const seller = await product.user({ role: 'admin' })
    const hasFigures = async (path = '/dashboard') =>
      (await openPage(seller, path)).html.includes('aria-label="Platform"')
    expect(await hasFigures()).toBe(false)
    expect((await openPage(seller, '/dashboard')).text).toContain('No videos generated yet.')
    await makeVideos(product, seller.userId, [{}])
    expect(await hasFigures()).toBe(true)
    expect(await hasFigures('/dashboard?search=found-nowhere')).toBe(true)
    expect((await openPage(seller, '/dashboard')).html).not.toContain('<figure')
    expect((await openPage(user, '/admin/overview')).status).toBe(403)
  })
})
