import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../support/client'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// The screens of referrals (issue 53.3). What they bring is tried in tests/engine/races/referrals.test.ts.

const product = useInstallation()
let admin: TestUser
let inviter: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
  inviter = await product.user({
    plan: 'Business',
    expiry_date: new Date(Date.now() + 9 * DAY),
  })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const DAY = 86_400_000
const PAGE = '/admin/settings'
const turnOn = (fields: Record<string, string> = {}) =>
  sendForm(admin, PAGE, { intent: 'referral', unit: 'days', amount: '7', perMonth: '5', ...fields })
const linkOf = async (user: TestUser) =>
  /\/register\?invite=[0-9a-f-]+/.exec((await openPage(user, '/usage')).text)?.[0]
const PROMISE = 'you and the person who invited you get 7 days each'
const offers = async (client: Client, path: string) =>
  (await openPage(client, path)).text.includes(PROMISE)
const fields = { intent: 'register', password: 'secret-1' }

async function invitedBy(phone: string): Promise<string | undefined> {
  const { rows } = await product.db.query<{ id: string }>(
    `select inviter_id as id from referrals join users on users.id = invited_id where username = $1`,
    [phone],
  )
  return rows[0]?.id
}

describe('while it is off', () => {
  test('U-REF-4: nobody sees a trace of it, and a link of earlier invites nobody', async () => {
    const { text } = await openPage(inviter, '/usage')
    expect(text).not.toContain('nvite')
    const visitor = product.client()
    expect(await offers(visitor, `/register?invite=${inviter.userId}`)).toBe(false)
    await sendForm(visitor, '/register', { ...fields, phone: '923111000001' })
    expect(await invitedBy('923111000001')).toBeUndefined()
  })
})

describe('while it is on', () => {
  beforeAll(async () => {
    await turnOn()
  })

  test.each([
    [{ amount: '0' }, 'Number must be at least 1'],
    [{ amount: '1.5' }, 'Number must be a whole number'],
    [{ perMonth: '' }, 'Rewards in a month is required'],
    [{ unit: 'rupees' }, 'Reward must be'],
  ])('issue 53.3: %o is refused in words', async (wrong, words) => {
    const sent = await turnOn(wrong)
    expect([sent.status, sent.text.includes(words)]).toEqual([400, true])
  })

  test('issue 53.3: the link is text on the Usage page and leads by way of pricing to an account', async () => {
    const link = (await linkOf(inviter)) ?? ''
    expect(link).toContain(inviter.userId)
    const visitor = product.client()
    expect(await offers(visitor, link)).toBe(true)
    await openPage(visitor, '/pricing')
    expect(await offers(visitor, '/register')).toBe(true)
    await sendForm(visitor, '/register', { ...fields, phone: '923111000002' })
    expect(await invitedBy('923111000002')).toBe(inviter.userId)
    expect((await openPage(inviter, '/usage')).text).toContain('First payments to come: 1.')
  })

  test('issue 53.3: the call of the page, and a code for a new account, know the link as well', async () => {
    const link = (await linkOf(inviter)) ?? ''
    const visitor = product.client()
    await openPage(visitor, link)
    await visitor.post('/api/auth/register', { phone: '923111000003', password: 'secret-1' })
    expect(await invitedBy('923111000003')).toBe(inviter.userId)
  })

  test('issue 53.3: a browser in which somebody was signed in is offered nothing, and gets nothing', async () => {
    const link = (await linkOf(inviter)) ?? ''
    const visitor = product.client()
    await sendForm(visitor, '/register', { ...fields, phone: '923111000004' })
    await sendForm(visitor, '/logout', {}, { shown: '/usage' })
    expect(await offers(visitor, link)).toBe(false)
    await sendForm(visitor, '/register', { ...fields, phone: '923111000005' })
    expect(await invitedBy('923111000005')).toBeUndefined()
  })

  test('issue 53.3: administrators and editors have no link', async () => {
    const editor = await product.user({ role: 'editor' })
    expect([await linkOf(admin), await linkOf(editor)]).toEqual([undefined, undefined])
  })

  test('issue 53.3: confirming says it before and after; book, customer, change and file show it', async () => {
    const link = (await linkOf(inviter)) ?? ''
    const visitor = product.client()
    await openPage(visitor, link)
    const phone = '923111000006'
    await sendForm(visitor, '/register', { ...fields, phone })
    await sendForm(visitor, '/paid', {
      intent: 'claim',
      plan: 'Starter',
      method: 'bank',
      currency: 'PKR',
    })
    const { rows } = await product.db.query<{ id: string; user: string }>(
      `select id, user_id as "user" from payments where username = $1`,
      [phone],
    )
    const claim = rows[0]!
    const dialog = `/admin/payments?dialog=confirm&on=${claim.id}`
    expect((await openPage(admin, dialog)).text).toContain(
      `The first payment of somebody invited by ${inviter.username}: the referral brings each 7 days`,
    )
    await sendForm(admin, dialog, { intent: 'confirm-payment', id: claim.id, how: 'renew' })
    const book = await openPage(admin, '/admin/payments?method=referral')
    expect(book.text).toContain(`7 days for inviting ${phone}`)
    expect(book.text).toContain('47 PKR by the list')
    expect(book.text).toContain(
      'Referrals gave away 397 PKR by the list, in 2 rewards. That is no income.',
    )
    expect(book.html).not.toContain('dialog=refund')
    const customer = await openPage(admin, `/admin/users/${claim.user}`)
    expect(customer.text).toContain('the inviter got the reward')
    expect(customer.html).toContain(`/admin/users/${inviter.userId}`)
    expect((await openPage(admin, `/admin/users/${inviter.userId}`)).text).toContain('1 rewarded')
    const file = await (await admin.send('GET', '/admin/payments/export?method=referral')).text()
    expect(file).toContain(',350,')
    const change = /href="(\/admin\/changes\/[^"]+)"/.exec(
      (await openPage(admin, `/admin/payments?method=bank&customer=${phone}`)).html,
    )?.[1]
    const shown = await openPage(admin, change ?? '')
    expect(shown.text).toContain('The reward of a referral is taken back.')
    expect(await sendForm(admin, change ?? '', { intent: 'undo' })).toMatchObject({ status: 409 })
    await sendForm(admin, change ?? '', { intent: 'undo', seenReward: 'on' })
    const after = await openPage(inviter, '/usage')
    expect(after.text).toContain('so far')
    expect(after.text).not.toContain('brought you 7 days')
  })

  test('issue 53.3: a helper who may confirm brings the reward, and reads no setting', async () => {
    const helper = await product.user({ role: 'editor' })
    await product.db.query(
      `insert into helper_rights (user_id, rights, confirm_currency, confirm_up_to, regenerate_per_day)
       values ($1, $2, 'PKR', 5000, 0)`,
      [helper.userId, ['renew', 'payments']],
    )
    expect((await openPage(helper, PAGE)).status).toBe(403)
    const off = await helper.send('POST', PAGE, {
      body: new URLSearchParams({ intent: 'end-referral' }),
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(off.status).toBe(403)
    const visitor = product.client()
    await openPage(visitor, (await linkOf(inviter)) ?? '')
    const phone = '923111000007'
    await sendForm(visitor, '/register', { ...fields, phone })
    const { rows } = await product.db.query<{ id: string }>(
      'select id from users where username = $1',
      [phone],
    )
    await sendForm(helper, `/helper?search=${phone}`, {
      intent: 'renew',
      id: rows[0]!.id,
      paidMethod: 'bank',
    })
    expect((await openPage(admin, `/admin/users/${rows[0]!.id}`)).text).toContain(
      'the inviter got the reward',
    )
  })

  test('issue 53.3: switching it off is in the log, and takes the link away', async () => {
    expect((await sendForm(admin, PAGE, { intent: 'end-referral' })).text).toContain(
      'The referral is off',
    )
    expect(await linkOf(inviter)).toBeUndefined()
    expect((await openPage(admin, '/admin/activity')).text).toContain(
      'changed what a referral brings',
    )
  })
})
