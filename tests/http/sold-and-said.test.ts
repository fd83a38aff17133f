import { afterEach, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../support/invariants'
import type { TestUser } from '../support/installation'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// What is said before and after a sale is what is so: in each state of an account.

const product = useInstallation({ worker: true })
const PAGE = '/admin/payments'
let admin: TestUser
let helper: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
  helper = await product.user({ role: 'editor' })
  await product.db.query(
    `insert into helper_rights (user_id, rights, regenerate_per_day, confirm_up_to, confirm_currency)
     values ($1, '{create,renew,payments}', 0, 500, 'PKR')`,
    [helper.userId],
  )
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const customer = (plan = 'Starter', days = 5) =>
  product.user({
    plan,
    expiry_date: new Date(Date.now() + days * 86_400_000),
  } as Parameters<typeof product.user>[0])
const one = async <Row>(statement: string, values: unknown[]) =>
  (await product.db.query(statement, values)).rows[0] as Row
const daysLeft = async (id: string) =>
  (
    await one<{ days: number }>(
      `select round(extract(epoch from expiry_date - engine_now()) / 86400)::int as days
       from users where id = $1`,
      [id],
    )
  ).days

/** Puts a claim into the inbox, and returns its id. */
async function claim({ username, userId }: TestUser, plan = 'Starter', amount = 20_000) {
  const { id } = await one<{ id: string }>(
    `insert into payments (id, user_id, username, plan, amount, currency, method, received_at, state)
     values (gen_random_uuid(), $1, $2, $3::plan_name, $4, 'PKR', 'bank', engine_now(), 'claimed')
     returning id`,
    [userId, username, plan, amount],
  )
  return id
}
const confirm = (id: string, more: Record<string, string> = {}, by = admin) =>
  sendForm(by, by === admin ? `${PAGE}?dialog=confirm&on=${id}` : '/helper', {
    intent: 'confirm-payment',
    id,
    ...more,
  })
const stateOf = async (id: string) =>
  (await one<{ state: string }>('select state from payments where id = $1', [id])).state

test('X1, A1, O2: a helper’s amount is compared with the price, not with what was typed', async () => {
  const user = await customer()
  const id = await claim(user, 'Enterprise', 100)
  const refused = await confirm(id, { seenPrice: 'on', seenPlan: 'on' }, helper)
  expect([refused.status, refused.text.includes('You may not confirm')]).toEqual([403, true])
  expect(await stateOf(id)).toBe('claimed')
  const quick = { intent: 'quick-create', phone: '03990007001', plan: 'Enterprise' }
  const paid = { paidMethod: 'bank', paidAmount: '1', seenPrice: 'on' }
  // O1: nor is leaving the payment out the way round.
  for (const more of [paid, {}])
    expect((await sendForm(helper, '/helper', { ...quick, ...more })).status).toBe(403)
  const { n } = await one<{ n: number }>(
    'select count(*)::int as n from users where username = $1',
    ['03990007001'],
  )
  expect(n).toBe(0)
})

test('X2, A2: a helper confirms nothing for the own account or another with a role', async () => {
  const other = await product.user({ role: 'editor' })
  for (const account of [helper, other]) {
    const id = await claim(account)
    expect((await confirm(id, { seenRole: 'on' }, helper)).status).toBe(403)
    expect(await stateOf(id)).toBe('claimed')
  }
})

test('X3: the first of two renewals is undone after the later one, and is not spent before', async () => {
  const user = await customer()
  const renew = async () => {
    const path = `/admin/users/${user.userId}`
    const fields = { intent: 'renew', id: user.userId, paidMethod: 'bank' }
    return ((await sendForm(admin, path, fields)).location ?? '').split('?')[0] ?? ''
  }
  const [first, second] = [await renew(), await renew()]
  const undo = (change: string) => sendForm(admin, change, { intent: 'undo' })
  const refused = await undo(first)
  expect([refused.status, refused.text.includes('Undo the later one first')]).toEqual([409, true])
  expect(await daysLeft(user.userId)).toBe(65)
  expect((await undo(second)).status).toBe(303)
  expect((await undo(first)).status).toBe(303)
  expect(await daysLeft(user.userId)).toBe(5)
  const { n } = await one<{ n: number }>(
    `select count(*)::int as n from payments where user_id = $1 and state <> 'rejected'`,
    [user.userId],
  )
  expect(n).toBe(0)
})

test('X4: a payment for a disabled account needs a tick, which enables it or leaves it so', async () => {
  for (const [tick, isActive] of [
    ['isEnabled', true],
    ['seenDisabled', false],
  ] as const) {
    const user = await customer()
    const id = await claim(user)
    await product.db.query('update users set is_active = false where id = $1', [user.userId])
    const dialog = await openPage(admin, `${PAGE}?dialog=confirm&on=${id}`)
    expect(dialog.text).toContain('The account is disabled')
    expect((await confirm(id)).status).toBe(409)
    const done = await confirm(id, { [tick]: 'on' })
    expect(done.text).toContain('Payment confirmed')
    expect(done.text.includes('still disabled')).toBe(!isActive)
    expect(done.html.includes('wa.me/')).toBe(isActive)
    const row = await one<{ active: boolean }>(
      'select is_active as active from users where id = $1',
      [user.userId],
    )
    expect(row.active).toBe(isActive)
  }
})

test('X5: a payment for a deleted account restores and renews it, or says that a second one is made', async () => {
  const user = await customer('Starter', 20)
  const id = await claim(user)
  await sendForm(admin, `/admin?dialog=delete&on=${user.userId}`, {
    intent: 'delete-user',
    id: user.userId,
  })
  const dialog = await openPage(admin, `${PAGE}?dialog=confirm&on=${id}`)
  expect(dialog.text).toContain('A deleted user has this number')
  expect((await confirm(id)).status).toBe(409)
  expect((await confirm(id, { isRestored: 'on' })).text).toContain('Payment confirmed')
  expect(await daysLeft(user.userId)).toBe(50)
})

test('X6: of a claim for a better plan the upgrade stands first, and the other says what becomes of the days', async () => {
  const user = await customer('Starter', 20)
  const id = await claim(user, 'Enterprise', 350_000)
  const { text, html } = await openPage(admin, `${PAGE}?dialog=confirm&on=${id}`)
  expect(html.indexOf('value="upgrade"')).toBeLessThan(html.indexOf('value="renew"'))
  expect(text).toContain(
    'The 20 days of Starter that are left become Enterprise, which would cost 2,200 PKR.',
  )
  expect((await confirm(id, { how: 'renew' })).status).toBe(409)
  expect((await confirm(id, { how: 'upgrade' })).status).toBe(303)
  expect(await daysLeft(user.userId)).toBe(20)
})

test('X6: a claim for a cheaper plan, or after the end, is no upgrade', async () => {
  for (const [user, plan] of [
    [await customer('Enterprise', 20), 'Starter'],
    [await customer('Starter', -3), 'Enterprise'],
  ] as const) {
    const id = await claim(user, plan)
    const { html, text } = await openPage(admin, `${PAGE}?dialog=confirm&on=${id}`)
    expect(text).toContain(user.username)
    expect(html).not.toContain('value="upgrade"')
  }
})

test('X5: a number of a deleted user is not given a second account unless that is said', async () => {
  const user = await customer()
  await admin.call('DELETE', `/api/admin/users/${user.userId}`, {})
  const form = { intent: 'quick-create', phone: user.username, plan: 'Starter' }
  const refused = await sendForm(admin, '/admin?dialog=quick', form)
  expect([refused.status, refused.text.includes('A deleted user has this number')]).toEqual([
    409,
    true,
  ])
  expect(refused.html).toContain('name="seenTrash"')
  const made = await sendForm(admin, '/admin?dialog=quick', { ...form, seenTrash: 'on' })
  expect(made.status).toBe(303)
  // A call cannot be asked first. Its answer says it.
  const other = await customer()
  await admin.call('DELETE', `/api/admin/users/${other.userId}`, {})
  const call = { phone: other.username, plan: 'Starter' }
  const answer = await admin.call<{ notes: string[] }>(
    'POST',
    '/api/admin/users/quick-create',
    call,
  )
  expect(answer.body.notes).toEqual([expect.stringContaining('A deleted user has this number')])
})

test('O12: no payment is entered that nobody meant; the method and currency of the last time are offered', async () => {
  const seller = await product.user({ role: 'admin', expiry_date: null })
  const book = async () =>
    (
      await product.db.query<{ amount: number; currency: string; method: string }>(
        'select amount, currency, method from payments where recorded_by = $1 order by received_at',
        [seller.username],
      )
    ).rows
  const phones = [1, 2, 3].map((n) => `92399000810${n}`)
  const sell = (phone: string, more: Record<string, string> = {}) => {
    // What a browser sends of a form in which nothing was chosen.
    const shown = { paidMethod: '', paidAmount: '', paidReference: '', paidCurrency: 'PKR' }
    const form = { intent: 'quick-create', phone, plan: 'Starter', ...shown, ...more }
    return sendForm(seller, '/admin?dialog=quick', form)
  }
  for (const phone of phones) expect((await sell(phone)).status).toBe(303)
  const order =
    '/admin/users/change?scope=filter&role=user&status=active&search=9239900081&view=desk&kind=renew&from=today'
  const shown = await openPage(seller, order)
  expect(shown.text).toContain('Not paid')
  await sendForm(seller, order, { intent: 'apply', expected: '3', paidMethod: '', seenDays: 'on' })
  expect(await book()).toEqual([])
  // Nobody can say how a reference alone was paid.
  const asked = await sell('923990008104', { paidReference: 'TX 81' })
  expect([asked.status, asked.text.includes('Choose how it was paid')]).toEqual([400, true])
  await sell('923990008104', { paidMethod: 'wallet', paidCurrency: 'USD', paidReference: 'TX 81' })
  // From then on the wallet and dollars are offered, and a reference is enough.
  const { html } = await openPage(seller, '/admin?dialog=quick')
  expect(html).toMatch(/Not paid.*?value="wallet"/)
  expect(html).toMatch(/value="USD" selected/)
  expect(html).toMatch(/name="paidBefore" value="wallet"|value="wallet"[^>]*name="paidBefore"/)
  const again = { paidBefore: 'wallet', paidReference: 'TX 82' }
  expect((await sell('923990008105', again)).status).toBe(303)
  expect(await book()).toEqual([
    { amount: 200, currency: 'USD', method: 'wallet' },
    { amount: 20_000, currency: 'PKR', method: 'wallet' },
  ])
  // A helper is offered their own last method.
  const sold = { intent: 'quick-create', phone: '923990008106', plan: 'Starter' }
  const paid = { paidMethod: 'cash', paidAmount: '200', paidCurrency: 'PKR', paidReference: '' }
  expect((await sendForm(helper, '/helper', { ...sold, ...paid })).status).toBe(303)
  expect((await openPage(helper, '/helper')).text).toContain('counts as paid, by Cash')
})

test('O7: who ends on this calendar day is on the list of today', async () => {
  const user = await customer('Starter', 0)
  const zone = 'UTC'
  await product.db.query(
    `update users set expiry_date = ((engine_now() at time zone $2)::date + 1)::timestamp
       at time zone $2 - interval '1 second' where id = $1`,
    [user.userId, zone],
  )
  const { text } = await openPage(admin, '/admin/renewals?filter=ending-today')
  expect(text).toContain(user.username)
})

test('O4: the renewal of an account without an earlier payment is no new customer', async () => {
  const user = await customer()
  const before = await openPage(admin, '/admin/overview')
  const path = `/admin/users/${user.userId}`
  await sendForm(admin, path, { intent: 'renew', id: user.userId, paidMethod: 'bank' })
  const after = await openPage(admin, '/admin/overview')
  const news = ({ text }: { text: string }) => /(\d+) new customers?/.exec(text)?.[1] ?? '0'
  expect(news(after)).toBe(news(before))
})

test('X7: a renewal after which the account is still expired says so, with a tick and no chat', async () => {
  const user = await customer('Starter', -40)
  const path = `/admin/users/${user.userId}?dialog=renew-end&on=${user.userId}`
  expect((await openPage(admin, path)).text).toContain('It is still expired afterwards')
  const fields = { intent: 'renew', id: user.userId, from: 'end' }
  expect((await sendForm(admin, path, fields)).status).toBe(409)
  const done = await sendForm(admin, path, { ...fields, seenExpired: 'on' })
  expect(done.text).toContain('still expired since')
  expect(done.text).toContain('Nothing to tell')
})

test('O1, A9: what a helper sells above the amount, paid or not, becomes a request', async () => {
  const phone = '03990007077'
  const quick = { intent: 'quick-create', phone, plan: 'Enterprise' }
  const refused = await sendForm(helper, '/helper', quick)
  expect([refused.status, refused.html.includes('name="isAsked"')]).toEqual([403, true])
  expect((await sendForm(helper, '/helper', { ...quick, isAsked: 'on' })).text).toContain(
    'The administrator was asked',
  )
  const asked = await one<{ id: string; amount: number }>(
    `select id, amount from payments where asked_by = $1 and state = 'claimed'`,
    [helper.username],
  )
  expect(asked.amount).toBe(0)
  const { text } = await openPage(admin, '/admin/helpers')
  expect(text).toMatch(/give Enterprise to \d+ without a payment/)
  const dialog = await openPage(admin, `${PAGE}?dialog=confirm&on=${asked.id}`)
  expect(dialog.text).toContain('0 PKR is below the price, 3,500 PKR.')
  expect((await confirm(asked.id)).status).toBe(409)
  expect((await confirm(asked.id, { seenPrice: 'on' })).text).toContain('Payment confirmed')
  // A customer's own claim is not in the way of the helper's, nor the other way round.
  const user = await customer('Enterprise')
  await claim(user, 'Enterprise', 350_000)
  const renew = { intent: 'renew', id: user.userId, name: user.username, paidMethod: 'bank' }
  expect((await sendForm(helper, '/helper', renew)).status).toBe(403)
  expect((await sendForm(helper, '/helper', { ...renew, isAsked: 'on' })).status).toBe(303)
  expect((await openPage(admin, '/admin/helpers')).text).toContain(
    `confirm Enterprise, 3,500 PKR of ${user.username}`,
  )
})

test('O1, O16, A9: what was given without a payment or below the price is listed by kind, with plan and price', async () => {
  const unpaid = async (kind: string) =>
    (await openPage(admin, `/admin/payments/unpaid?kind=${kind}`)).text
  const phone = '923990007088'
  const quick = { intent: 'quick-create', phone, plan: 'Starter' }
  expect((await sendForm(helper, '/helper', quick)).status).toBe(303)
  expect(await unpaid('created')).toContain(phone)
  expect((await openPage(admin, '/admin/helpers')).text).toContain(
    'Starter, without a payment (200 PKR)',
  )
  const below = await customer('Business')
  const path = `/admin/users/${below.userId}`
  const cheap = { intent: 'renew', id: below.userId, paidMethod: 'bank', paidAmount: '100' }
  expect((await sendForm(admin, path, cheap)).status).toBe(409)
  expect((await sendForm(admin, path, { ...cheap, seenPrice: 'on' })).status).toBe(303)
  expect(await unpaid('renewed')).toMatch(new RegExp(`${below.username}.*1,500 PKR.*Only 100 PKR`))
  const raised = await customer('Starter', 15)
  const change = { plan: 'Business' }
  await admin.call('PATCH', `/api/admin/users/${raised.userId}`, change)
  // The days that are left, of the difference: 15 × 1,300 / 30.
  expect(await unpaid('upgraded')).toMatch(new RegExp(`${raised.username}.*Business.*650 PKR`))
  const imported = '923990007099'
  const users = [{ username: imported, password: 'correct-horse-9', plan: 'Professional' }]
  await admin.call('POST', '/api/admin/users/bulk-import', { users })
  expect(await unpaid('imported')).toMatch(new RegExp(`${imported}.*Professional.*500 PKR`))
  // A payment that comes later is recorded for any of them, and says what surprises.
  const { id } = await one<{ id: string }>(
    `select change_id || '.' || user_id as id from bulk_change_users join users on users.id = user_id
     where username = $1`,
    [phone],
  )
  await product.db.query('update users set is_active = false where username = $1', [phone])
  const page = '/admin/payments/unpaid?kind=created'
  const late = { intent: 'record-payment', renewal: id }
  const asked = await openPage(admin, `${page}&dialog=record-payment&on=${id}`)
  expect(asked.text).toContain('The account is disabled')
  expect((await sendForm(admin, page, late)).status).toBe(409)
  const done = await sendForm(admin, page, { ...late, seenDisabled: 'on' })
  expect(done.text).toContain('Payment recorded')
  expect(done.text).toContain('still disabled')
  expect(await unpaid('created')).not.toContain(phone)
})

test('O10: a line that surprises fails until it is ticked; a call says it in its notes', async () => {
  const user = await customer('Business', 20)
  const line = `username|password|plan\n${user.username}|hashed|Starter`
  const send = (mode: string, more = {}) =>
    sendForm(admin, '/admin/users/import', { intent: 'import-users', text: line, mode, ...more })
  const checked = await send('check')
  expect(checked.text).toContain('The 20 days of Business that are left become Starter.')
  expect(checked.html).toContain('name="seenPlan"')
  await send('import')
  const planOf = async () =>
    (await one<{ plan: string }>('select plan from users where id = $1', [user.userId])).plan
  expect(await planOf()).toBe('Business')
  await send('import', { seenPlan: 'on' })
  expect(await planOf()).toBe('Starter')
  const back = { plan: 'Professional', expireDays: 3 }
  const answer = await admin.call<{ notes: string[] }>(
    'PATCH',
    `/api/admin/users/${user.userId}`,
    back,
  )
  expect(answer.body.notes).toEqual([expect.stringMatching(/17 of the 20 days left are lost/)])
})

test('O1, Q-44: fewer days or a lower plan in the edit form need a tick; the message names the end', async () => {
  const user = await customer('Business', 20)
  const path = `/admin?dialog=edit&on=${user.userId}`
  const { html } = await openPage(admin, path)
  const fields = Object.fromEntries(
    [...html.matchAll(/name="(\w+Before|planShown)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  )
  const form = {
    ...fields,
    intent: 'edit-user',
    id: user.userId,
    role: 'user',
    plan: 'Business',
    videoLimit: fields.videoLimitBefore!,
    speedLimit: fields.speedLimitBefore!,
    videoGenerationSpeed: fields.videoGenerationSpeedBefore!,
    bearerToken: '',
    isActive: 'on',
    expireDays: '5',
  }
  const refused = await sendForm(admin, path, form)
  expect([refused.status, refused.text.includes('15 of the 20 days left are lost')]).toEqual([
    409,
    true,
  ])
  const done = await sendForm(admin, path, { ...form, seenDays: 'on' })
  expect(done.text).toMatch(/User updated.*Business until/)
  expect(await daysLeft(user.userId)).toBe(5)
})
