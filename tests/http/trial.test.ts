import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startInstallation, type Installation } from '../support/installation'
import { openPage } from '../support/page'
import { slowTest, test } from '../support/slow'

type Failure = { error: string; code: string; fields?: Record<string, string[]> }

describe('who may register', () => {
  let product: Installation
  beforeAll(async () => {
    product = await startInstallation()
  })
  afterAll(() => product.remove())
  const register = (phone: string) =>
    product.client().post<Failure>('/api/auth/register', { phone, password: 'secret-1' })

  test.each([
    'administrator',
    'аdministrator',
    '<script>alert',
    'a|b|c|d|e',
    'ㅤㅤㅤㅤㅤㅤㅤㅤ',
    '\u202enimda\u202c123',
    '--------',
  ])('U-REG-2: %j is no phone number', async (phone) => {
    const refused = await register(phone)
    expect(refused.status).toBe(400)
    expect(refused.body.fields?.phone).toContain('This is not a phone number')
  })

  test('U-REG-2: a number with too many digits is none', async () => {
    const refused = await register('030012345678901234')
    expect(refused.status).toBe(400)
    expect(refused.body.fields?.phone).toContain('A phone number has at most 15 digits')
  })

  test('U-REG-2: the page reports it and keeps what was typed', async () => {
    const client = product.client()
    const response = await client.submit('/register', {
      intent: 'register',
      phone: 'administrator',
      password: 'secret-1',
    })
    const html = await response.text()
    expect(response.status).toBe(400)
    expect(html).toContain('This is not a phone number')
    expect(html).toMatch(/<input[^>]*name="phone"[^>]*value="administrator"/)
  })

  test('administrators create names with letters, but none that could be another user’s', async () => {
    const admin = await product.user({ role: 'admin' })
    const create = (phone: string) =>
      admin.post<Failure>('/api/admin/users', { phone, password: 'secret-1' })
    expect((await create('Front-Desk 2')).status).toBe(201)
    expect((await create('front-d\u0435sk')).body.error).toBe(
      'Write the name in the letters of one alphabet',
    )
    expect((await create('front-desk\u3164')).body.error).toBe(
      'This name contains invisible characters',
    )
  })
})

describe('Q-14: what all trials together may order per day', () => {
  const capped = (env: Record<string, string>) =>
    startInstallation({ env: { THROTTLE_SCALE: '1', TRUST_PROXY: '1', ...env } })
  /** Returns a user who has registered from `address`. */
  const newcomer = async (product: Installation, phone: string, address: string) => {
    const client = product.client()
    const from = { 'x-forwarded-for': address }
    const made = await client.post<{ user: { id: string } }>(
      '/api/auth/register',
      { phone, password: 'secret-1' },
      from,
    )
    expect(made.status).toBe(201)
    const order = () => client.post<Failure>('/api/videos/generate', { prompt: 'a boat' })
    return { client, order, id: made.body.user.id }
  }

  slowTest(
    'a network has an exact cap, however many orders come at once; another network has its own',
    async () => {
      const product = await capped({ SIGNUP_TRIAL_MAX_PER_NETWORK: '4' })
      const ones = await Promise.all(
        [1, 2, 3].map((n) => newcomer(product, `0311000000${n}`, `203.0.113.${n}`)),
      )
      const responses = await Promise.all(ones.flatMap(({ order }) => [order(), order(), order()]))
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(4)
      const refused = responses.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(5)
      expect(refused[0]?.body.error).toContain('free trial videos are used up')
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
      const { rows } = await product.db.query<{ videos: number; reserved: number }>(`
      select (select count(*)::int from videos) as videos,
        (select sum(reserved)::int from quota_days) as reserved`)
      expect(rows).toEqual([{ videos: 4, reserved: 4 }])

      const six = ['2001:db8:7:1::5', '2001:db8:7:2::9', '2001:db8:8::1']
      const others = await Promise.all(
        six.map((address, i) => newcomer(product, `0312000000${i}`, address)),
      )
      for (let i = 0; i < 3; i++) expect((await others[0]!.order()).status).toBe(201)
      expect((await others[1]!.order()).status).toBe(201)
      expect((await others[1]!.order()).status).toBe(429)
      expect((await others[2]!.order()).status).toBe(201)
      await product.remove()
    },
  )

  test('the platform has its cap, batches count as a whole, and a sold plan is no trial', async () => {
    const product = await capped({ SIGNUP_TRIAL_MAX_PER_DAY: '4' })
    const [one, two] = [
      await newcomer(product, '03110000001', '203.0.113.1'),
      await newcomer(product, '03110000002', '198.51.100.1'),
    ]
    const batch = { prompts: ['a', 'b', 'c'] }
    expect((await one.client.post('/api/videos/bulk-generate', batch)).status).toBe(201)
    expect((await two.client.post('/api/videos/bulk-generate', batch)).status).toBe(429)
    expect((await two.order()).status).toBe(201)
    expect((await two.order()).status).toBe(429)

    const admin = await product.user({ role: 'admin' })
    const page = await openPage(admin, '/admin/system')
    expect(page.text).toContain('3 videos a day for 3 days. Ordered today: 4 of 4')
    const sold = await admin.call('PATCH', `/api/admin/users/${two.id}`, {
      plan: 'Starter',
      expireDays: 30,
      videoLimit: 20,
    })
    expect(sold.status).toBe(200)
    expect((await two.order()).status).toBe(201)
    await product.remove()
  })
})
