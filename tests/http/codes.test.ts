import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RIGHTS } from '../../app/domain/context'
import type { Client } from '../support/client'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Prepaid codes (issue 53.1): made, sold, redeemed, blocked, and every pair that can meet.

const product = useInstallation({ env: { THROTTLE_SCALE: '1', TRUST_PROXY: '1' } })
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const PAGE = '/admin/codes'
const SHAPE = /\b(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}\b/g
const DAY = 86_400_000

type Fields = Record<string, string>
/** Makes codes on the page and returns those that its response shows. */
async function make(fields: Fields = {}, seller: Client = admin): Promise<string[]> {
  const sent = await sendForm(seller, PAGE, {
    intent: 'make-codes',
    plan: 'Business',
    days: '30',
    count: '1',
    currency: 'PKR',
    ...fields,
  })
  expect(sent.status, sent.text).toBe(200)
  return [...new Set(sent.html.match(SHAPE) ?? [])]
}

/** A customer with so many days left of a plan; null: a plan without an end. */
const customer = (plan: string | null = 'Business', days: number | null = 5) =>
  product.user({
    plan,
    expiry_date: days === null ? null : new Date(Date.now() + days * DAY),
  } as Parameters<typeof product.user>[0])

const redeem = (client: Client, code: string, fields: Fields = {}) =>
  sendForm(client, '/redeem', { intent: 'redeem', prepaidCode: code, ...fields })

type Account = { plan: string; days: number; video_limit: number }
async function accountOf(id: string): Promise<Account> {
  const { rows } = await product.db.query<Account>(
    `select plan, video_limit, round(extract(epoch from expiry_date - engine_now()) / 86400)::int as days
     from users where id = $1`,
    [id],
  )
  return rows[0]!
}
type Row = {
  id: string
  state: string
  amount: number
  method: string
  note: string
  change_id: string
}
const book = async (userId: string): Promise<Row[]> =>
  (await product.db.query<Row>(`select * from payments where user_id = $1 order by id`, [userId]))
    .rows
const statesOf = async (soldTo: string): Promise<string[]> =>
  (
    await product.db.query<{ state: string }>(
      'select state from prepaid_codes where sold_to = $1 order by number',
      [soldTo],
    )
  ).rows.map(({ state }) => state)

describe('making', () => {
  test('A-CODE-1: shows the codes once: as texts, a sheet and a file; the database has hashes', async () => {
    const sent = await sendForm(admin, PAGE, {
      intent: 'make-codes',
      plan: 'Business',
      days: '30',
      count: '3',
      currency: 'PKR',
      soldTo: 'Ali',
      note: 'shop',
    })
    const codes = [...new Set(sent.html.match(SHAPE) ?? [])]
    expect(codes).toHaveLength(3)
    expect(sent.text).toContain('1,500 PKR each, sold to Ali.')
    const csv = decodeURIComponent(
      /href="data:text\/csv;charset=utf-8,([^"]+)"/.exec(sent.html)?.[1] ?? '',
    )
    expect(csv).toContain(`1,${codes[0]},Business,30,1500,PKR,Ali,`)
    const { text } = await openPage(admin, PAGE)
    expect(text).not.toMatch(SHAPE)
    expect(text).toContain('Ali')
    const { rows } = await product.db.query<{ all: string }>(
      `select string_agg(c::text, ' ') as all from prepaid_codes as c`,
    )
    for (const code of codes) expect(rows[0]!.all).not.toContain(code.replaceAll('-', ''))
    const log = await product.db.query<{ after: unknown; count: number }>(
      `select after, count from trail_entries where action = 'codes.make' order by at desc limit 1`,
    )
    expect(log.rows).toMatchObject([{ count: 3, after: { soldTo: 'Ali', each: '1500 PKR' } }])
  })

  test('a form that is sent twice makes its codes once', async () => {
    const lotId = '01a203ac-9e11-7c3a-8f55-2f6a1d0b4c77'
    await make({ lotId, soldTo: 'Twice' })
    const again = await sendForm(admin, PAGE, {
      intent: 'make-codes',
      plan: 'Business',
      days: '30',
      count: '1',
      currency: 'PKR',
      lotId,
      soldTo: 'Twice',
    })
    expect(again.status).toBe(409)
    expect(again.text).toContain('These codes were made already')
    expect(await statesOf('Twice')).toEqual(['open'])
  })

  test.each([
    [{ count: '501' }, 400, 'Cannot exceed 500'],
    [{ count: '0' }, 400, 'Number of codes must be at least 1'],
    [{ days: '9999' }, 400, 'Cannot exceed 3,650'],
    [{ lastDay: '2020-01-01' }, 400, 'The last day is over'],
    [{ currency: 'AED' }, 400, 'Type the amount: there is no price for this'],
    [{ amount: '10' }, 409, '10 PKR is below the price, 1,500 PKR.'],
  ])('what is wrong makes none, and says why: %o', async (fields, status, words) => {
    const sent = await sendForm(admin, PAGE, {
      intent: 'make-codes',
      plan: 'Business',
      days: '30',
      count: '1',
      currency: 'PKR',
      soldTo: 'Nobody',
      ...fields,
    })
    expect([sent.status, sent.text.includes(words)]).toEqual([status, true])
    expect(await statesOf('Nobody')).toEqual([])
  })
})

describe('redeeming', () => {
  test('renews the own plan at once, with a payment, a change and an entry; a second time is refused in words', async () => {
    const [code = ''] = await make({ soldTo: 'Ali', amount: '1600' })
    const user = await customer()
    expect((await redeem(user, code.toLowerCase().replaceAll('-', ' '))).location).toBe('/usage')
    expect(await accountOf(user.userId)).toMatchObject({ plan: 'Business', days: 35 })
    expect(await book(user.userId)).toMatchObject([
      { state: 'confirmed', amount: 160_000, method: 'code', note: 'Code no. 1, sold to Ali' },
    ])
    const { rows } = await product.db.query<{ action: string }>(
      `select action from trail_entries where actor_id = $1 and action not like 'auth.%' order by id`,
      [user.userId],
    )
    expect(rows.map(({ action }) => action)).toEqual(['user.redeem', 'payment.record'])
    expect((await redeem(user, code)).text).toContain('You have used this code already.')
    const other = await customer()
    expect((await redeem(other, code)).text).toContain('This code has been used.')
    expect((await openPage(admin, '/admin/payments?method=code')).text).toContain('Prepaid code')
    expect((await openPage(admin, `${PAGE}?state=used`)).text).toContain(`Used by ${user.username}`)
  })

  test.each([
    [
      'Starter',
      'Business',
      9,
      'The 9 days of Starter that you have left become 1 day of Business',
      31,
    ],
    ['Starter', 'Business', 3, 'The 3 days of Starter that you have left end', 30],
    ['Business', 'Starter', 4, 'The 4 days of Business that you have left become', 59],
  ])(
    'from %s to %s says what becomes of the days left, and does nothing before that is pressed',
    async (own, plan, days, words, then) => {
      const [code = ''] = await make({ plan })
      const user = await customer(own, days)
      const asked = await redeem(user, code)
      expect(asked.status).toBe(409)
      expect(asked.text).toContain(words)
      expect(asked.text).toContain('Redeem it all the same')
      expect(await accountOf(user.userId)).toMatchObject({ plan: own, days })
      const seen = /name="seen" value="([^"]+)"/.exec(asked.html)?.[1] ?? ''
      expect(asked.html).toContain(`value="${code}"`)
      await redeem(user, code, { seen })
      expect(await accountOf(user.userId)).toMatchObject({ plan, days: then })
    },
  )

  test('U-CODE-2: a renewal at the same second is said again: what was agreed to is not what it would be', async () => {
    const [code = ''] = await make()
    const user = await customer('Starter', 9)
    const asked = await redeem(user, code)
    const seen = /name="seen" value="([^"]+)"/.exec(asked.html)?.[1] ?? ''
    await sendForm(admin, `/admin?dialog=renew&on=${user.userId}`, {
      intent: 'renew',
      id: user.userId,
    })
    const again = await redeem(user, code, { seen })
    expect(again.status).toBe(409)
    expect(again.text).toContain(
      'The 39 days of Starter that you have left become 5 days of Business',
    )
    expect(await accountOf(user.userId)).toMatchObject({ plan: 'Starter', days: 39 })
  })

  test('a number without an account opens one with the code, or none; one that has an account keeps the code unused', async () => {
    const [code = ''] = await make({ soldTo: 'New' })
    const visitor = product.client()
    const fields = { intent: 'register', prepaidCode: code, password: 'secret-1' }
    const user = await customer()
    const taken = await sendForm(visitor, '/redeem', { ...fields, phone: user.username })
    expect(taken.text).toContain('This phone number already has an account')
    expect(await statesOf('New')).toEqual(['open'])
    const made = await sendForm(visitor, '/redeem', { ...fields, phone: '923009990001' })
    expect([made.status, made.location]).toEqual([303, '/app'])
    const { rows } = await product.db.query<{ id: string }>(
      `select id from users where username = '923009990001'`,
    )
    expect(await accountOf(rows[0]!.id)).toMatchObject({
      plan: 'Business',
      days: 30,
      video_limit: 400,
    })
    expect(await book(rows[0]!.id)).toMatchObject([{ method: 'code', amount: 150_000 }])
    const used = await sendForm(product.client(), '/redeem', { ...fields, phone: '923009990002' })
    expect(used.text).toContain('This code has been used.')
    const none = await product.db.query(`select 1 from users where username = '923009990002'`)
    expect(none.rows).toEqual([])
  })
})

describe('pairs', () => {
  test('a trial: its days of the same plan are kept, and its limit is the plan’s', async () => {
    const [code = ''] = await make({ plan: 'Starter' })
    const user = await customer('Starter', 2)
    await product.db.query('update users set video_limit = 3 where id = $1', [user.userId])
    await redeem(user, code)
    expect(await accountOf(user.userId)).toEqual({ plan: 'Starter', days: 32, video_limit: 20 })
  })

  test('an account that has ended, and one without a plan, begin today', async () => {
    const [one = '', two = ''] = await make({ count: '2' })
    const ended = await customer('Business', -20)
    await redeem(ended, one)
    expect(await accountOf(ended.userId)).toMatchObject({ days: 30 })
    const bare = await customer(null, null)
    await redeem(bare, two)
    expect(await accountOf(bare.userId)).toMatchObject({ plan: 'Business', days: 30 })
  })

  test.each([
    ['without an end', { expiry_date: null }, 'Your account has no end'],
    ['of an administrator', { role: 'admin' as const }, 'Codes are for customers'],
    ['of an editor', { role: 'editor' as const }, 'Codes are for customers'],
  ])('an account %s uses no code, and the code stays open', async (_, what, words) => {
    const soldTo = `No ${words}`
    const [code = ''] = await make({ soldTo })
    const user = await product.user({ plan: 'Business', ...what })
    const sent = await redeem(user, code)
    expect([sent.status, sent.text.includes(words)]).toEqual([409, true])
    expect((await statesOf(soldTo)).every((state) => state === 'open')).toBe(true)
  })

  test('a form that is sent after the session has ended, or after signing in, says so and uses no code', async () => {
    const [code = ''] = await make({ soldTo: 'Late' })
    const user = await customer()
    const fields = { prepaidCode: code, phone: '923009990003', password: 'secret-1' }
    const wrong = await sendForm(user, '/redeem', { intent: 'register', ...fields })
    expect([wrong.status, wrong.location]).toEqual([303, '/redeem'])
    expect(wrong.text).toContain('You are signed in')
    await product.db.query('delete from sessions where user_id = $1', [user.userId])
    const sent = await redeem(user, code)
    expect([sent.status, sent.location]).toEqual([303, '/login?redirectTo=%2Fredeem'])
    expect(sent.text).toContain('Your session has ended')
    expect(sent.text).toContain('The code was not used. Type it again.')
    expect(await statesOf('Late')).toEqual(['open'])
  })

  test('U-CODE-1: two presses use a code once, and neither says that it was another’s, nor that it was not used', async () => {
    const [one = '', two = ''] = await make({ count: '2' })
    const user = await customer()
    const visitor = product.client()
    const fields = { intent: 'register', phone: '03009990004', password: 'secret-1' }
    for (const press of [
      () => redeem(user, one),
      () => sendForm(visitor, '/redeem', { ...fields, prepaidCode: two }),
    ]) {
      const sent = await Promise.all([press(), press()])
      const refused = sent.find(({ status }) => status === 409)
      expect(sent.map(({ status }) => status).sort()).toEqual([303, 409])
      expect(refused?.text).toContain('You have used this code already.')
      expect(refused?.text).not.toContain('The code was not used')
    }
  })

  test.each([
    ['in dollars alone', { rupees: 0, dollars: 5 }, 'become 59 days of Starter'],
    ['of which the code’s plan has none', { rupees: 0, dollars: 0 }, 'become 19 days of Starter'],
  ])('days of another plan keep their worth with prices %s', async (_, starter, words) => {
    const set = (name: string, prices: object) =>
      product.db.query(
        `insert into business_settings (name, value, changed_at) values ($1, $2, now())`,
        [`plan.${name}`, JSON.stringify({ name, ...prices })],
      )
    await set('Business', { rupees: 0, dollars: 15 })
    await set('Starter', starter)
    const [code = ''] = await make({ plan: 'Starter', amount: '100' })
    const sent = await redeem(await customer('Business', 20), code)
    await product.db.query(`delete from business_settings where name like 'plan.%'`)
    expect(sent.text).toContain(words)
  })

  test('a disabled or deleted account cannot redeem, and the code stays open', async () => {
    const [code = ''] = await make({ soldTo: 'Stopped' })
    for (const change of [`is_active = false`, `is_active = true, deleted_at = now()`]) {
      const user = await customer()
      await product.db.query(`update users set ${change} where id = $1`, [user.userId])
      const sent = await user.submit('/redeem', { intent: 'redeem', prepaidCode: code })
      expect(sent.status).toBeGreaterThanOrEqual(300)
    }
    expect(await statesOf('Stopped')).toEqual(['open'])
  })

  test('a plan that is not offered any more, and one whose price has changed, are what the code says', async () => {
    const [code = ''] = await make({ plan: 'Enterprise' })
    await product.db.query(
      `insert into business_settings (name, value, changed_at)
       values ('plan.Enterprise', '{"name": "Enterprise", "isOffered": false, "rupees": 9000}', now())`,
    )
    const user = await customer('Enterprise')
    await redeem(user, code)
    expect(await accountOf(user.userId)).toMatchObject({ plan: 'Enterprise', days: 35 })
    expect(await book(user.userId)).toMatchObject([{ amount: 350_000 }])
    await product.db.query(`delete from business_settings where name = 'plan.Enterprise'`)
  })

  test('undo and refund say before that the code stays used, and it does', async () => {
    const [code = ''] = await make({ soldTo: 'Back', count: '1' })
    const user = await customer()
    await redeem(user, code)
    const [payment] = await book(user.userId)
    const refund = `/admin/payments?dialog=refund&on=${payment!.id}`
    expect((await openPage(admin, refund)).text).toContain('The code stays used.')
    const change = `/admin/changes/${payment!.change_id}`
    expect((await openPage(admin, change)).text).toContain('A prepaid code stays used')
    await sendForm(admin, change, { intent: 'undo' })
    expect(await accountOf(user.userId)).toMatchObject({ days: 5 })
    expect(await book(user.userId)).toMatchObject([{ state: 'rejected' }])
    expect(await statesOf('Back')).toEqual(['used'])
    expect((await redeem(user, code)).text).toContain('You have used this code already.')
  })

  test('a claim of a payment that waits stays, and says that the account was renewed meanwhile', async () => {
    const [code = ''] = await make()
    const user = await customer()
    await sendForm(user, '/paid', {
      intent: 'claim',
      plan: 'Business',
      method: 'bank',
      currency: 'PKR',
    })
    await redeem(user, code)
    const claim = (await book(user.userId)).find(({ state }) => state === 'claimed')
    const dialog = await openPage(admin, `/admin/payments?dialog=confirm&on=${claim!.id}`)
    expect(dialog.text).toContain('Renewed on')
    await product.db.query('delete from payments where id = $1', [claim!.id])
  })

  test('a blocked code and one that has ended are refused in words; a blocked one can be opened again', async () => {
    const [code = ''] = await make({ soldTo: 'Blocked' })
    const { rows } = await product.db.query<{ id: string; lot: string }>(
      `select id, lot_id as lot from prepaid_codes where sold_to = 'Blocked'`,
    )
    const user = await customer()
    await sendForm(admin, PAGE, { intent: 'block-codes', id: rows[0]!.id })
    expect((await redeem(user, code)).text).toContain('This code is blocked.')
    await sendForm(admin, PAGE, { intent: 'open-codes', lot: rows[0]!.lot })
    await product.db.query(
      `update prepaid_codes set ends_at = engine_now() - interval '1 hour' where id = $1`,
      [rows[0]!.id],
    )
    expect((await redeem(user, code)).text).toContain('This code ended on')
    expect((await openPage(admin, `${PAGE}?state=ended`)).text).toContain('Blocked')
    await sendForm(admin, PAGE, { intent: 'block-codes', id: rows[0]!.id })
    const twice = await sendForm(admin, PAGE, { intent: 'block-codes', id: rows[0]!.id })
    expect([twice.status, twice.text.includes('No code is open any more.')]).toEqual([409, true])
  })
})

test('by call: redeems, and asks first where days of another plan are left', async () => {
  const [one = '', two = ''] = await make({ count: '2' })
  const user = await customer('Starter', 9)
  type Answer = { error: string; fields: { seen?: string[] }; user: { plan: string } }
  const call = (body: object) => user.call<Answer>('POST', '/api/codes/redeem', body)
  const asked = await call({ code: one })
  expect([asked.status, asked.body.fields.seen]).toEqual([409, [asked.body.error]])
  expect(await call({ code: one, seen: asked.body.error })).toMatchObject({
    status: 200,
    body: { user: { plan: 'Business' } },
  })
  expect(await call({ code: two })).toMatchObject({ status: 200 })
  expect((await call({ code: '0000' })).status).toBe(400)
  expect((await product.client().call('POST', '/api/codes/redeem', { code: one })).status).toBe(401)
})

describe('U-CODE-3: guessing', () => {
  /** Codes with a right check digit that do not exist. */
  const GUESSES = ['0000-0000-0000-0000', '1111-1111-1111-1119']

  test('an account has ten guesses in an hour, a mistyped code is none, and another account is not harmed', async () => {
    const user = await customer()
    const guess = (typed: string) =>
      user.call<{ code: string }>(
        'POST',
        '/api/codes/redeem',
        { code: typed },
        { 'x-forwarded-for': '198.51.100.9' },
      )
    for (let i = 0; i < 15; i++) expect((await guess('0000-0000-0000-0001')).status).toBe(400)
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await guess(GUESSES[0]!)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429])
    const [code = ''] = await make()
    const other = await customer()
    const sent = await other.call(
      'POST',
      '/api/codes/redeem',
      { code },
      { 'x-forwarded-for': '198.51.100.9' },
    )
    expect(sent.status).toBe(200)
  })
})

describe('A-CODE-2: a helper', () => {
  test('makes codes up to the amount of a day, sees and blocks the own ones, and opens none again', async () => {
    await make({ soldTo: 'Admins' })
    const helper = await product.user({ role: 'editor' })
    await product.db.query(
      `insert into helper_rights (user_id, rights, confirm_currency, codes_up_to, regenerate_per_day)
       values ($1, $2, 'PKR', 3000, 0)`,
      [helper.userId, ['codes']],
    )
    await make({ soldTo: 'Helpers' }, helper)
    const more = (fields: Fields) =>
      sendForm(helper, PAGE, {
        intent: 'make-codes',
        plan: 'Business',
        days: '30',
        count: '1',
        currency: 'PKR',
        soldTo: 'Helpers',
        ...fields,
      })
    expect((await more({ count: '2' })).text).toContain(
      'You may not make 2 codes of 3,000 PKR today: 1,500 PKR is left.',
    )
    expect((await more({ amount: '100', seenPrice: 'on' })).text).toContain('below the price')
    expect((await more({ currency: 'USD' })).status).toBe(403)
    // Two at once do not both fit.
    const both = await Promise.all([more({}), more({})])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    expect(await statesOf('Helpers')).toEqual(['open', 'open'])
    const { text } = await openPage(helper, PAGE)
    expect([text.includes('Helpers'), text.includes('Admins')]).toEqual([true, false])
    const { rows } = await product.db.query<{ id: string }>(
      `select id from prepaid_codes where sold_to in ('Admins', 'Helpers') order by sold_to`,
    )
    const press = (intent: string, id: string) => sendForm(helper, PAGE, { intent, id })
    expect((await press('block-codes', rows[0]!.id)).status).toBe(409)
    expect((await press('block-codes', rows[1]!.id)).status).toBe(303)
    expect((await press('open-codes', rows[1]!.id)).status).toBe(403)
    expect((await press('code-income', rows[1]!.id)).status).toBe(400)
    expect(RIGHTS).toContain('codes')
  })

  test('makes none in a currency without prices, in which any amount would do', async () => {
    const helper = await product.user({ role: 'editor' })
    await product.db.query(
      `insert into helper_rights (user_id, rights, confirm_currency, codes_up_to, regenerate_per_day)
       values ($1, $2, 'EUR', 3000, 0)`,
      [helper.userId, ['codes']],
    )
    const sent = await sendForm(helper, PAGE, {
      intent: 'make-codes',
      plan: 'Enterprise',
      days: '3650',
      count: '1',
      currency: 'EUR',
      amount: '1',
      soldTo: 'For nothing',
    })
    expect(sent.status).toBe(403)
    expect(sent.text).toContain('There is no price in EUR. The administrator has to.')
    expect(await statesOf('For nothing')).toEqual([])
  })
})

test('the payments page says when codes are income, as it is set', async () => {
  expect((await openPage(admin, '/admin/payments')).text).toContain(
    'Prepaid codes count when they are used.',
  )
  await sendForm(admin, PAGE, { intent: 'code-income', codeIncome: 'sold' })
  expect((await openPage(admin, '/admin/payments')).text).toContain(
    'Prepaid codes count when they are made',
  )
  await sendForm(admin, PAGE, { intent: 'code-income', codeIncome: 'used' })
})
