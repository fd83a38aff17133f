import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Issue 38, item 8: what is sold is data, with the specification's values at first.

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterEach(() => product.db.query('delete from business_settings'))

const PAGE = '/admin/plans'
const BUSINESS = {
  plan: 'Business',
  rupees: '1800',
  dollars: '9',
  videosPerDay: '450',
  videos: '6',
  delaySeconds: '40',
  support: 'VIP',
  extras: 'Bulk Generation\n\nA free month in twelve',
  place: '5',
  popular: 'on',
  isOffered: 'on',
}
const save = (fields: Record<string, string> = {}) =>
  sendForm(admin, PAGE, { intent: 'plan', ...BUSINESS, ...fields })
const pricing = async () => (await openPage(product.client(), '/pricing')).text
const numbersOf = async (username: string) => {
  const { rows } = await product.db.query(
    `select video_limit, speed_limit, video_generation_speed from users where username = $1`,
    [username],
  )
  return rows[0] as unknown
}
const CHANGED = { video_limit: 450, speed_limit: 6, video_generation_speed: 40 }
const AT_FIRST = { video_limit: 400, speed_limit: 5, video_generation_speed: 45 }

describe('a changed plan', () => {
  test('is sold from now on: on the pricing page, in forms, calls and changes of many users; accounts keep what they have', async () => {
    const before = await product.user({
      plan: 'Business',
      video_limit: 400,
      speed_limit: 5,
      video_generation_speed: 45,
    })
    const saved = await save()
    expect(saved.text).toContain('Business saved')
    const text = await pricing()
    for (const words of [
      '1,800 rupees ($9) per month',
      '450 videos per day',
      'Speed: 6 videos per round',
      'Delay: 40 seconds between rounds',
      'A free month in twelve',
    ])
      expect(text).toContain(words)
    expect(text.indexOf('1,000 videos per day')).toBeLessThan(text.indexOf('450 videos per day'))
    expect(await numbersOf(before.username)).toEqual(AT_FIRST)

    await admin.post('/api/admin/users/quick-create', { phone: '923331112201', plan: 'Business' })
    expect(await numbersOf('923331112201')).toEqual(CHANGED)
    await admin.post('/api/admin/users', {
      phone: '923331112202',
      password: 'a-long-secret-1',
      plan: 'Business',
    })
    expect(await numbersOf('923331112202')).toEqual(CHANGED)
    const filled = await sendForm(admin, '/admin?dialog=create', {
      intent: 'create-user',
      plan: 'Business',
      usePlan: 'yes',
    })
    expect(filled.html).toMatch(
      /name="videoLimit"[^>]*value="450"|value="450"[^>]*name="videoLimit"/,
    )
  })

  test('is recorded with what it was, and goes back to the first values', async () => {
    await save()
    const { rows } = await product.db.query<{ before: unknown; after: unknown }>(
      `select before, after from trail_entries where action = 'setting.plan' order by at desc limit 1`,
    )
    expect(rows[0]).toMatchObject({
      before: { name: 'Business', rupees: 1500, videosPerDay: 400, place: 3 },
      after: { name: 'Business', rupees: 1800, videosPerDay: 450, place: 5 },
    })
    const back = await sendForm(admin, PAGE, { intent: 'plan-default', plan: 'Business' })
    expect(back.text).toContain('Business is as at first')
    expect(await pricing()).toContain('1,500 rupees ($8) per month')
  })

  test('that is not offered is hidden from buyers, and marked in the administrators’ forms', async () => {
    const { isOffered: _, ...hidden } = BUSINESS
    await sendForm(admin, PAGE, { intent: 'plan', ...hidden })
    expect(await pricing()).not.toContain('450 videos per day')
    const { html } = await openPage(admin, '/admin?dialog=create')
    expect(html).toContain('Business (not offered)')
  })

  test('with a wrong number is refused; what was typed stays, in its own form only', async () => {
    const sent = await save({ videosPerDay: '0', support: 'Golden' })
    expect(sent.status).toBe(400)
    expect(sent.text).toContain('Must be at least 1')
    expect(sent.html.match(/value="Golden"/g)).toHaveLength(1)
    expect(await pricing()).toContain('400 videos per day')
  })

  test('needs an administrator, and the password again if it was not given lately', async () => {
    const user = await product.user()
    expect((await user.submit(PAGE, { intent: 'plan', ...BUSINESS })).status).toBe(403)
    const late = await product.user({ role: 'admin' })
    await product.db.query(
      `update sessions set created_at = engine_now() - interval '1 hour' where user_id = $1`,
      [late.userId],
    )
    const sent = await sendForm(late, PAGE, { intent: 'plan', ...BUSINESS })
    expect([sent.status, sent.location?.startsWith('/admin/confirm')]).toEqual([307, true])
  })
})

describe('the price of a plan beside what its videos cost', () => {
  const setCost = (amount: string, currency = 'USD') =>
    sendForm(admin, PAGE, { intent: 'video-cost', amount, currency })
  const LOSES = 'At 0.05 USD a video, Starter loses money from video 41 of a month.'

  async function addAccount(days: number, used: number, fields: Record<string, unknown> = {}) {
    const { userId } = await product.user({ plan: 'Starter', ...fields })
    await product.db.query(
      `update users set created_at = engine_now() - make_interval(days => $2) where id = $1`,
      [userId, days],
    )
    await product.db.query(
      `insert into quota_days (user_id, day, charged)
       values ($1, engine_now()::date, $2), ($1, engine_now()::date - 31, 900)`,
      [userId, used],
    )
  }

  test('says from which video on it loses money, how many accounts do, and warns on Set-up', async () => {
    await setCost('0.05')
    const open = async (page: string) => (await openPage(admin, page)).text
    expect(await open(PAGE)).toContain(`${LOSES} No account has been here for 30 days yet.`)
    expect(await open('/admin/setup')).not.toContain('Plans that lose money')
    for (const used of [30, 210, 500]) await addAccount(40, used)
    // None of these counts: new, ended, an administrator's.
    await addAccount(10, 900)
    await addAccount(40, 900, { expiry_date: new Date(Date.now() - 1000) })
    await addAccount(40, 900, { role: 'admin' })
    const sentence = `${LOSES} 3 accounts of 30 days or more: half used at most 210 in the last 30 days; 67 % of them used more than the price pays for.`
    for (const page of [PAGE, '/admin/overview']) {
      const text = await open(page)
      expect(text).toContain('Loses money')
      expect(text).toContain(sentence)
    }
    expect(await open('/admin/setup')).toContain(`Plans that lose money To do ${sentence}`)
    // The menu has no row for it: reading it costs too much.
    expect(await open(PAGE)).toContain('Loses money Meant so? Mark it in Set-up')
    // One that is meant to lose money.
    await sendForm(admin, '/admin/setup', { intent: 'mark-done', step: 'losses' })
    expect(await open('/admin/setup')).toContain(`Plans that lose money Done ${sentence}`)
    await sendForm(admin, '/admin/setup', { intent: 'mark-open', step: 'losses' })
    // A plan that is not sold is no warning.
    await sendForm(admin, PAGE, {
      ...BUSINESS,
      intent: 'plan',
      plan: 'Starter',
      dollars: '2',
      isOffered: '',
    })
    expect(await open('/admin/setup')).not.toContain('Plans that lose money')
  })

  test('compares with another price without saving it, and with none in a currency of no plan', async () => {
    const tried = await openPage(admin, `${PAGE}?amount=0.01&currency=USD`)
    expect(tried.text).toContain('At 0.01 USD a video, Starter loses money from video 201')
    expect((await openPage(admin, PAGE)).text).not.toContain('loses money from')
    const bad = await openPage(admin, `${PAGE}?amount=many&currency=USD`)
    expect(bad.text).toContain('This is not an amount.')
    expect(bad.html).toContain('value="many"')
    await setCost('5', 'EUR')
    expect((await openPage(admin, PAGE)).text).not.toContain('loses money from')
  })
})

describe('U-DEV-1: devices at once', () => {
  const signIn = async (username: string, userAgent = '') => {
    const client = product.client()
    const fields = { intent: 'sign-in', username, password: 'secret-1' }
    const sent = await client.send('POST', '/login', {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        'user-agent': userAgent,
      },
    })
    expect(sent.status).toBe(303)
    return client
  }
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

  test('are set with the plan; the one that is signed out and the new one are told, and the customer’s page counts', async () => {
    expect((await save({ devices: '0' })).text).toContain('Must be at least 1')
    expect((await save({ devices: '2' })).text).toContain('Business saved')
    expect((await openPage(admin, PAGE)).html).toMatch(/name="devices"[^>]*value="2"/)
    expect(await pricing()).toContain('Signed in on 2 devices at once')
    const { username, userId } = await product.user({ plan: 'Business', video_limit: 450 })
    const customer = `/admin/users/${userId}`
    expect((await openPage(admin, customer)).text).toContain('Devices this week Unknown browser,')

    const first = await signIn(username, FIREFOX)
    // The account of the test was signed in before.
    const second = await signIn(username)
    const own = await openPage(second, '/account/sessions')
    expect(own.text).toContain('Your plan allows 2 devices at once.')
    const third = await signIn(username)
    expect((await openPage(third, '/app')).text).toContain(
      `Welcome back, ${username}! Your plan allows 2 devices at once. Signed out: Firefox on Linux.`,
    )
    const ended = await first.send('GET', '/usage')
    expect([ended.status, ended.headers.get('location')]).toEqual([
      303,
      '/login?redirectTo=%2Fusage',
    ])
    expect((await openPage(first, '/login')).text).toContain(
      'This account was signed in on another device, and its plan allows no more at once. Sign in again to continue.',
    )
    const seen = (await openPage(admin, customer)).text
    expect(seen).toContain('One account, 4 devices')
    expect(seen).toContain('Firefox on Linux')

    const call = await product.client().post<{ notice?: string }>('/api/auth/login', {
      username,
      password: 'secret-1',
    })
    expect(call.body.notice).toContain('Your plan allows 2 devices at once')
    // Signed out by oneself is no reason to say so.
    await third.send('POST', '/logout', { headers: { 'sec-fetch-site': 'same-origin' } })
    expect((await save({ devices: '' })).text).toContain('Business saved')
    expect(await pricing()).not.toContain('devices at once')
  })
})
