import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RIGHTS, type Right } from '../../app/domain/context'
import type { Client } from '../support/client'
import { addVideos } from '../support/ended-videos'
import type { TestUser } from '../support/installation'
import { formTokenIn, openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Helpers: editors with rights. What each may do, and that they may do nothing else.

const product = useInstallation()
const PAGE = '/helper'
const NOBODY = '00000000-0000-4000-8000-000000000000'
let admin: TestUser
let helper: TestUser
let customer: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
  helper = await product.user({ role: 'editor' })
  customer = await product.user({ plan: 'Starter' })
})
afterEach(async () => {
  await product.db.query('delete from helper_rights')
  await product.db.query('delete from helper_requests')
  await product.db.query(`delete from payments where state = 'claimed'`)
})

const give = (rights: readonly Right[], perDay = 0) =>
  product.db.query(
    `insert into helper_rights (user_id, rights, regenerate_per_day) values ($1, $2, $3)
     on conflict (user_id) do update set rights = excluded.rights, used = 0,
       regenerate_per_day = excluded.regenerate_per_day`,
    [helper.userId, rights, perDay],
  )
const press = (intent: string, fields: Record<string, string> = {}) =>
  sendForm(helper, `${PAGE}?search=${customer.username}`, {
    intent,
    id: customer.userId,
    name: customer.username,
    ...fields,
  })
const one = async <Row>(statement: string, values: unknown[] = []) =>
  (await product.db.query(statement, values)).rows[0] as Row
const logged = (action: string) =>
  one<{ actor: string; name: string; count: number } | undefined>(
    `select actor_name as actor, subject_name as name, count from trail_entries
     where action = $1 order by at desc limit 1`,
    [action],
  )

/** None, all, each alone, and all but each: a right that opens too much, or only with another one, is seen. */
const COMBINATIONS: readonly (readonly Right[])[] = [
  [],
  RIGHTS,
  ...RIGHTS.flatMap((right) => [[right], RIGHTS.filter((other) => other !== right)]),
]

/** The pages for rights: who may open them, and the right of each of their forms. */
const CELLS: { path: string; may: (rights: readonly Right[]) => boolean }[] = [
  { path: PAGE, may: (rights) => rights.length > 0 },
  { path: '/admin/confirm', may: (rights) => rights.length > 0 },
  { path: '/admin/prompts', may: (rights) => rights.includes('prompts') },
  { path: '/admin/codes', may: (rights) => rights.includes('codes') },
  { path: '/admin/helpers', may: () => false },
  { path: '/admin', may: () => false },
]
const FORMS: Record<string, { path?: string; right: Right; fields: Record<string, string> }> = {
  'quick-create': { right: 'create', fields: { phone: '', plan: 'Starter' } },
  renew: { right: 'renew', fields: { id: NOBODY } },
  password: { right: 'passwords', fields: { id: NOBODY } },
  regenerate: { right: 'regenerate', fields: { id: NOBODY } },
  ask: { right: 'regenerate', fields: { id: NOBODY } },
  'confirm-payment': { right: 'payments', fields: { id: NOBODY } },
  'ask-payment': { right: 'payments', fields: { id: NOBODY } },
  delete: { path: '/admin/prompts', right: 'prompts', fields: { promptId: NOBODY } },
  'block-codes': { path: '/admin/codes', right: 'codes', fields: { id: NOBODY } },
}

test('0 wrong cells: every page and form with none, one, all but one and all rights', async () => {
  const wrong: string[] = []
  let phones = 3_450_000_000
  const formToken = await formTokenOf(helper)
  for (const rights of COMBINATIONS) {
    await give(rights)
    const check = (what: string, isOpen: boolean, status: number) => {
      if (isOpen === (status === 403)) wrong.push(`${rights.join('+')} ${what}: ${status}`)
    }
    await Promise.all([
      ...CELLS.map(async ({ path, may }) =>
        check(`GET ${path}`, may(rights), (await openPage(helper, path)).status),
      ),
      ...Object.entries(FORMS).map(async ([intent, { path = PAGE, right, fields }]) => {
        const phone = `0${phones++}`
        const body = { formToken, intent, ...fields, ...(fields.phone === '' && { phone }) }
        check(`POST ${intent}`, rights.includes(right), (await helper.submit(path, body)).status)
      }),
    ])
  }
  expect(wrong).toEqual([])
})

async function formTokenOf(client: Client): Promise<string> {
  const { html } = await openPage(client, '/usage')
  return formTokenIn(html)
}

test('A-ROLE-1: rights do nothing for other roles, and none are given by default', async () => {
  const fresh = await product.user({ role: 'editor' })
  expect((await openPage(fresh, PAGE)).status).toBe(403)
  const user = await product.user()
  await product.db.query(
    `insert into helper_rights (user_id, rights, regenerate_per_day) values ($1, $2, 9)`,
    [user.userId, RIGHTS],
  )
  expect((await openPage(user, PAGE)).status).toBe(403)
  expect((await openPage(user, '/admin/prompts')).status).toBe(403)
})

test('A7: rights end with the role, and come back by a tick only; less ends the sessions at once', async () => {
  const somebody = await product.user({ role: 'editor' })
  const all = { intent: 'rights', id: somebody.userId, rights: RIGHTS, regeneratePerDay: '9' }
  const caps = { confirmUpTo: '1000', confirmCurrency: 'PKR' }
  const rights = (fields: object) =>
    sendForm(admin, '/admin/helpers', { ...all, ...caps, ...fields })
  const stored = () => one('select 1 from helper_rights where user_id = $1', [somebody.userId])
  const signedIn = async () => {
    const client = product.client()
    const credentials = { username: somebody.username, password: 'secret-1' }
    expect((await client.post('/api/auth/login', credentials)).status).toBe(200)
    return client
  }
  for (const role of ['user', 'admin']) {
    expect((await rights({})).status).toBe(303)
    const before = await signedIn()
    expect((await openPage(before, PAGE)).status).toBe(200)
    for (const next of [role, 'editor']) {
      const edit = { role: next }
      expect((await admin.call('PATCH', `/api/admin/users/${somebody.userId}`, edit)).status).toBe(
        200,
      )
    }
    expect(await stored()).toBeUndefined()
    expect((await before.get('/api/auth/me')).status).toBe(401)
    expect((await openPage(await signedIn(), PAGE)).status).toBe(403)
    const { html } = await openPage(admin, '/admin/helpers')
    expect(html).not.toMatch(new RegExp(`id="rights-${somebody.userId}-rights[^>]*checked`))
  }
  for (const less of [
    { confirmUpTo: '999' },
    { confirmCurrency: 'USD' },
    { regeneratePerDay: '8' },
    { rights: RIGHTS.slice(1) },
  ]) {
    await rights({})
    const client = await signedIn()
    await rights(less)
    expect((await client.get('/api/auth/me')).status, JSON.stringify(less)).toBe(401)
  }
})

describe('a helper with rights', () => {
  test('finds customers by the whole number only, and nobody else', async () => {
    await give(['renew'])
    const found = await openPage(helper, `${PAGE}?search=${customer.username}`)
    expect(found.text).toContain('Renew 30 days')
    expect(found.text).not.toContain('New password')
    for (const search of [customer.username.slice(0, 8), admin.username, helper.username])
      expect((await openPage(helper, `${PAGE}?search=${search}`)).text).toContain(
        'No customer has this number.',
      )
    for (const { userId } of [admin, helper])
      expect((await press('renew', { id: userId })).status).toBe(404)
  })

  test('renews, which the list of the day marks as without a payment', async () => {
    await give(['renew'])
    const end = () =>
      one<{ at: Date }>('select expiry_date as at from users where id = $1', [customer.userId])
    const before = await end()
    expect((await press('renew')).text).toContain('Renewed by 30 days')
    expect((await end()).at.getTime() - before.at.getTime()).toBe(30 * 86_400_000)
    expect(await logged('user.renew')).toMatchObject({ actor: helper.username })
    const { text } = await openPage(admin, '/admin/helpers')
    expect(text).toContain(`${helper.username} renewed a user: ${customer.username}`)
    expect(text).toMatch(/\d sold · \d without a payment/)
    // The customer pays later, for another renewal and then for this one.
    const unpaid = () =>
      openPage(admin, '/admin/helpers').then(
        (page) =>
          page.text.match(
            new RegExp(`renewed a user: ${customer.username} \\w+, without a payment`, 'g'),
          )?.length,
      )
    const path = `/admin/users/${customer.userId}`
    await sendForm(admin, path, { intent: 'renew', id: customer.userId, paidMethod: 'bank' })
    expect(await unpaid()).toBe(1)
    const { id } = await one<{ id: string }>(
      `select change_id || '.' || user_id as id from bulk_change_users
       join bulk_changes on bulk_changes.id = change_id
       where actor_id = $1 and kind = 'renew'`,
      [helper.userId],
    )
    const paid = await sendForm(admin, path, { intent: 'record-payment', renewal: id })
    expect(paid.text).toContain('Payment recorded')
    expect(await unpaid()).toBeUndefined()
    await product.db.query('delete from payments')
  })

  test('creates a customer and gives a new password, each shown once', async () => {
    await give(['create', 'passwords'])
    const phone = '03990001234'
    const made = await sendForm(helper, PAGE, { intent: 'quick-create', phone, plan: 'Business' })
    expect(made.text).toContain('User Created Successfully!')
    const set = await press('password')
    const password = />Password<\/dt><dd[^>]*>([^<]+)/.exec(set.html)?.[1] ?? ''
    const login = { username: customer.username, password }
    expect((await product.client().post('/api/auth/login', login)).status).toBe(200)
    expect(await logged('user.quick-create')).toMatchObject({ actor: helper.username, name: phone })
    const again = await openPage(helper, `${PAGE}?search=${phone}&dialog=credentials`)
    expect(again.text).not.toContain('will not be shown again')
    await product.db.query(
      `update sessions set created_at = engine_now() - interval '1 hour' where user_id = $1`,
      [helper.userId],
    )
    expect((await press('password')).location).toContain('/admin/confirm')
    await product.db.query('update sessions set created_at = engine_now()')
  })

  test('records what was paid for a renewal, up to that amount, and opens the chat', async () => {
    await give(['renew'])
    expect((await openPage(helper, `${PAGE}?search=${customer.username}`)).text).not.toContain(
      'entered in the book',
    )
    expect((await press('renew', { paidMethod: 'bank' })).status).toBe(403)
    await give(['renew', 'payments'])
    expect((await openPage(helper, `${PAGE}?search=${customer.username}`)).text).not.toContain(
      'entered in the book',
    )
    await product.db.query(
      `update helper_rights set confirm_up_to = 1000, confirm_currency = 'PKR'`,
    )
    const refused = await press('renew', { paidMethod: 'bank', paidAmount: '1001' })
    expect([refused.status, refused.text.includes('You may not confirm')]).toEqual([403, true])
    const { html } = await press('renew', { paidMethod: 'bank', paidAmount: '900' })
    expect(html).toContain('wa.me/')
    const { rows } = await product.db.query<{ amount: number }>(
      'select amount from payments where username = $1',
      [customer.username],
    )
    expect(rows).toEqual([{ amount: 90_000 }])
  })

  test('what a new customer has paid is in the book, up to the amount that the helper may confirm', async () => {
    const create = (phone: string, plan: string) =>
      sendForm(helper, PAGE, { intent: 'quick-create', phone, plan, paidMethod: 'bank' })
    await give(['create'])
    expect((await openPage(helper, PAGE)).text).not.toContain('entered in the book')
    expect((await create('03990001235', 'Starter')).status).toBe(403)
    await give(['create', 'payments'])
    await product.db.query(
      `update helper_rights set confirm_up_to = 1000, confirm_currency = 'PKR'`,
    )
    const refused = await create('03990001236', 'Business')
    expect([refused.status, refused.text.includes('You may not confirm')]).toEqual([403, true])
    expect((await openPage(helper, `${PAGE}?search=03990001236`)).text).toContain('No customer')
    expect((await create('03990001237', 'Professional')).text).toContain('User Created')
    expect(
      await one('select amount, plan from payments where username = $1', ['03990001237']),
    ).toEqual({ amount: 50_000, plan: 'Professional' })
  })

  test('regenerates up to a number of the day; more is asked for, and the administrator approves', async () => {
    await product.db.query('delete from videos')
    await give(['regenerate'], 3)
    const failed = (n: number) =>
      addVideos(product, { userId: customer.userId, status: 'error', prompt: 'a kite', n })
    // What was cancelled has not failed: it stays as it is.
    const [cancelled] = await failed(1)
    await product.db.query(`update videos set error_code = 'cancelled' where id = $1`, [cancelled])
    await failed(2)
    expect((await press('regenerate')).text).toContain('2 videos queued')
    expect(await one('select status from videos where id = $1', [cancelled])).toEqual({
      status: 'error',
    })
    await failed(2)
    const page = await openPage(helper, `${PAGE}?search=${customer.username}`)
    expect(page.text).toContain('You may regenerate 1 more video today.')
    expect(page.text).toContain('Ask the administrator')
    const refused = await press('regenerate')
    expect([refused.status, refused.text.includes('Ask the administrator')]).toEqual([429, true])
    expect((await press('ask')).text).toContain('The administrator was asked')
    expect((await press('ask')).status).toBe(409)
    const { id } = await one<{ id: string }>('select id from helper_requests')
    const decide = (intent: string) => sendForm(admin, '/admin/helpers', { intent, id })
    const asked = await openPage(admin, '/admin/helpers')
    expect(asked.text).toContain(`regenerate 2 failed videos of ${customer.username}`)
    expect((await decide('approve')).text).toContain('Approved')
    expect((await decide('decline')).status).toBe(404)
    const { pending } = await one<{ pending: number }>(
      `select count(*)::int as pending from videos where status = 'pending'`,
    )
    expect(pending).toBe(4)
    expect(await logged('helper.approve')).toMatchObject({ actor: admin.username, count: 2 })
  })

  test('issue 38.4: confirms payments up to an amount; others wait for the administrator', async () => {
    await give(['payments'])
    await product.db.query(`update helper_rights set confirm_up_to = 500, confirm_currency = 'PKR'`)
    const claim = async (phone: string, money: Record<string, string>) => {
      const fields = { intent: 'claim', phone, plan: 'Starter', method: 'bank', ...money }
      expect((await sendForm(product.client(), '/paid', fields)).status).toBe(303)
      const { id } = await one<{ id: string }>('select id from payments where username = $1', [
        phone,
      ])
      return id
    }
    const pkr = (amount: string, reference: string) => ({ amount, reference, currency: 'PKR' })
    const small = await claim('03990005001', pkr('500', 'TX-1'))
    const large = await claim('03990005002', pkr('500.01', 'TX-2'))
    const dollars = await claim('03990005003', { ...pkr('2', 'TX-3'), currency: 'USD' })
    const page = await openPage(helper, PAGE)
    const confirm = (id: string) => sendForm(helper, PAGE, { intent: 'confirm-payment', id })
    for (const id of [large, dollars]) expect((await confirm(id)).status).toBe(403)
    expect(page.text.match(/Ask the administrator/g)).toHaveLength(2)
    const ask = (id: string) => sendForm(helper, PAGE, { intent: 'ask-payment', id })
    const asked = await ask(large)
    expect(asked.text).toContain('The administrator was asked')
    expect(asked.text.match(/Waits for the administrator/g)).toHaveLength(1)
    expect((await ask(large)).status).toBe(409)
    const text = `${helper.username}: confirm Starter, 500.01 PKR of 03990005002`
    expect((await openPage(admin, '/admin/helpers')).text).toContain(text)
    const told = await one<{ text: string }>(
      'select text from alarm_notices where subject_id = $1 and name = $2',
      [large, 'request'],
    )
    expect(told.text).toBe(`${text}.`)
    const dialog = `/admin/payments?state=claimed&dialog=confirm&on=${large}`
    expect((await openPage(admin, dialog)).html).toContain('value="confirm-payment"')
    const done = await confirm(small)
    expect(done.text).toContain('Payment confirmed')
    expect(await logged('payment.confirm')).toMatchObject({ actor: helper.username })
    expect((await confirm(small)).status).toBe(404)
    await product.db.query(
      `update payments set reference_key = 'tx1', amount = 20000 where id = $1`,
      [large],
    )
    const repeated = await confirm(large)
    expect([repeated.status, repeated.text.includes('Already used by')]).toEqual([409, true])
  })

  test('of many presses at once no more than the number of the day take effect', async () => {
    await give(['regenerate'], 5)
    const users = await Promise.all(Array.from({ length: 6 }, () => product.user()))
    for (const { userId } of users)
      await addVideos(product, { userId, status: 'error', prompt: 'a kite' })
    const token = await formTokenOf(helper)
    const sent = await Promise.all(
      users.map(({ userId }) =>
        helper.submit(PAGE, { formToken: token, intent: 'regenerate', id: userId }),
      ),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 303, 429])
  })
})

describe('the administrator', () => {
  const save = (rights: readonly string[], more: Record<string, string> = {}) =>
    sendForm(admin, '/admin/helpers', {
      intent: 'rights',
      id: helper.userId,
      rights,
      regeneratePerDay: '20',
      confirmUpTo: '0',
      confirmCurrency: '',
      ...more,
    })

  test('gives rights, which take effect at once; taking one away ends the helper’s sessions', async () => {
    expect((await save(['renew', 'prompts'])).text).toContain(`Rights of ${helper.username} saved`)
    expect((await openPage(helper, '/admin/prompts')).status).toBe(200)
    await save(['renew', 'prompts', 'create'])
    expect((await helper.send('GET', '/usage')).status).toBe(200)
    await save(['renew', 'create'])
    expect((await helper.send('GET', '/usage')).headers.get('location')).toContain('/login')
    const entry = await one<{ before: unknown; after: unknown }>(
      `select before, after from trail_entries where action = 'user.rights' order by at desc limit 1`,
    )
    expect(entry).toMatchObject({
      before: { rights: 'renew, prompts, create' },
      after: { rights: 'renew, create', regeneratePerDay: 20 },
    })
    const login = { username: helper.username, password: 'secret-1' }
    await helper.post('/api/auth/login', login)
    await save(['renew', 'create'], { regeneratePerDay: '10' })
    expect((await helper.send('GET', '/usage')).headers.get('location')).toContain('/login')
    await helper.post('/api/auth/login', login)
    const upTo = (confirmUpTo: string) =>
      save(['renew', 'create'], { confirmUpTo, confirmCurrency: 'PKR' })
    await upTo('500')
    expect((await helper.send('GET', '/usage')).status).toBe(200)
    await upTo('499')
    expect((await helper.send('GET', '/usage')).headers.get('location')).toContain('/login')
    await helper.post('/api/auth/login', login)
  })

  test('needs the password lately given, a currency for an amount, and an editor', async () => {
    const wrong = await save(['payments'], { confirmUpTo: '500' })
    expect([wrong.status, wrong.text.includes('Name the currency')]).toEqual([400, true])
    expect((await save(['payments'], { confirmUpTo: '500', confirmCurrency: 'pkr' })).status).toBe(
      303,
    )
    expect((await save(['renew'], { id: customer.userId })).status).toBe(404)
    expect((await save(['owner'])).status).toBe(400)
    await product.db.query(
      `update sessions set created_at = engine_now() - interval '1 hour' where user_id = $1`,
      [admin.userId],
    )
    expect((await save(['renew'])).location).toContain('/admin/confirm')
  })
})
