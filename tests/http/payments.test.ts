import { createCanvas } from '@napi-rs/canvas'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// The worker hears of claims.
const product = useInstallation({ worker: true })
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Row = {
  id: string
  user_id: string | null
  username: string
  plan: string
  amount: number
  currency: string
  method: string
  reference: string | null
  state: string
  reason: string | null
  days: number | null
  change_id: string | null
  refunded: number
}

const book = async (username: string): Promise<Row[]> => {
  const { rows } = await product.db.query<Row>(
    `select *, round(extract(epoch from period_to - period_from) / 86400)::int as days
     from payments where username = $1 order by id`,
    [username],
  )
  return rows
}
const daysLeft = async (id: string): Promise<number> => {
  const { rows } = await product.db.query<{ days: number }>(
    `select round(extract(epoch from expiry_date - engine_now()) / 86400)::int as days from users
     where id = $1 and deleted_at is null`,
    [id],
  )
  return rows[0]?.days ?? Number.NaN
}
const logOf = async (id: string): Promise<string[]> => {
  const { rows } = await product.db.query<{ action: string }>(
    'select action from trail_entries where subject_id = $1 order by id',
    [id],
  )
  return rows.map(({ action }) => action)
}
let numbers = 0
/** A customer with a plan and so many days. */
const customer = (plan = 'Professional', days = 5) =>
  product.user({
    plan,
    expiry_date: new Date(Date.now() + days * 86_400_000),
  } as Parameters<typeof product.user>[0])
const number = () => `92300777${String(++numbers).padStart(4, '0')}`

const PAID = { paidCurrency: 'PKR', paidMethod: 'wallet' }

describe('a payment is recorded with what it pays for', () => {
  test('by Quick Create, at the price of the plan; undo takes the account and the payment back', async () => {
    const phone = number()
    const made = await sendForm(admin, '/admin?dialog=quick', {
      intent: 'quick-create',
      phone,
      plan: 'Business',
      ...PAID,
      paidReference: 'TX 1/a',
    })
    expect(made.status).toBe(303)
    const [payment] = await book(phone)
    expect(payment).toMatchObject({
      plan: 'Business',
      amount: 150_000,
      currency: 'PKR',
      method: 'wallet',
      reference: 'TX 1/a',
      state: 'confirmed',
      days: 30,
    })
    const change = `/admin/changes/${payment?.change_id}`
    expect((await openPage(admin, change)).text).toContain('1 payment recorded')
    await sendForm(admin, change, { intent: 'undo' })
    expect(await daysLeft(payment?.user_id ?? '')).toBeNaN()
    const [undone] = await book(phone)
    expect(undone).toMatchObject({ state: 'rejected', reason: 'What it paid for was undone' })
    expect(await logOf(payment?.id ?? '')).toEqual(['payment.record', 'payment.undo'])
  })

  test('by Renew, from the old end; undo reverses date and payment together', async () => {
    const user = await customer()
    const renewed = await sendForm(admin, `/admin?dialog=renew&on=${user.userId}`, {
      intent: 'renew',
      id: user.userId,
      ...PAID,
      paidAmount: '450',
      seenPrice: 'on',
    })
    expect(await daysLeft(user.userId)).toBe(35)
    expect(await book(user.username)).toMatchObject([{ amount: 45_000, days: 30 }])
    await sendForm(admin, renewed.location ?? '', { intent: 'undo' })
    expect(await daysLeft(user.userId)).toBe(5)
    expect(await book(user.username)).toMatchObject([{ state: 'rejected' }])
  })

  test('by Edit, an account that has expired pays for the days from today', async () => {
    const user = await customer('Business', -10)
    const sent = await sendForm(admin, `/admin?dialog=edit&on=${user.userId}`, {
      intent: 'edit-user',
      id: user.userId,
      role: 'user',
      plan: 'Business',
      videoLimit: '400',
      speedLimit: '5',
      videoGenerationSpeed: '45',
      expireDays: '30',
      isActive: 'on',
      ...PAID,
    })
    expect(sent.status).toBe(303)
    expect(await daysLeft(user.userId)).toBe(30)
    expect(await book(user.username)).toMatchObject([{ amount: 150_000, days: 30 }])
  })

  test('by Edit, an upgrade costs the difference for the days left', async () => {
    const user = await customer('Starter', 15)
    const path = `/admin?dialog=edit&on=${user.userId}`
    expect((await openPage(admin, path)).text).toContain(
      'An upgrade for the 15 days left: Professional 150 PKR, Business 650 PKR, Enterprise 1,650 PKR.',
    )
    const sent = await sendForm(admin, path, {
      intent: 'edit-user',
      id: user.userId,
      role: 'user',
      plan: 'Business',
      videoLimit: '400',
      speedLimit: '5',
      videoGenerationSpeed: '45',
      expireDays: '15',
      expireDaysBefore: '15',
      isActive: 'on',
      ...PAID,
    })
    expect(sent.status).toBe(303)
    expect(await book(user.username)).toMatchObject([
      { plan: 'Business', amount: 65_000, days: 15 },
    ])
  })

  test('in bulk, each the price of their plan; a reference that was used has to be seen', async () => {
    const users = [await customer('Starter'), await customer('Enterprise')]
    const path = `/admin/users/change?kind=add-days&days=30&ids=${users.map((u) => u.userId).join('&ids=')}`
    const form = { intent: 'apply', expected: '2', ...PAID, paidReference: 'ref 77' }
    expect((await sendForm(admin, path, form)).status).toBe(303)
    const books = await Promise.all(users.map(({ username }) => book(username)))
    expect(books.flat().map(({ amount }) => amount)).toEqual([20_000, 350_000])

    const refused = await sendForm(admin, path, { ...form, paidReference: 'REF-77' })
    expect(refused.status).toBe(409)
    expect(refused.text).toMatch(/Already used by \S+ on \d+ \w+ \d{4}/)
    expect(await daysLeft(users[0]!.userId)).toBe(35)
    const seen = { ...form, paidReference: 'REF-77', isRepeatSeen: 'on' }
    expect((await sendForm(admin, path, seen)).status).toBe(303)
    expect(await daysLeft(users[0]!.userId)).toBe(65)
  })

  test('in bulk, undo rejects the payments of those whom it puts back, and of nobody else', async () => {
    const [back, left] = [await customer(), await customer()]
    const path = `/admin/users/change?kind=add-days&days=30&ids=${back.userId}&ids=${left.userId}`
    const { location } = await sendForm(admin, path, { intent: 'apply', expected: '2', ...PAID })
    await admin.call('PATCH', `/api/admin/users/${left.userId}`, { expireDays: 50 })
    const change = (location ?? '').split('?')[0] ?? ''
    const undone = await sendForm(admin, change, { intent: 'undo' })
    expect(undone.text).toContain('1 user as before. 1 user changed since and left alone.')
    expect([await daysLeft(back.userId), await daysLeft(left.userId)]).toEqual([5, 50])
    expect(await book(back.username)).toMatchObject([{ state: 'rejected' }])
    expect(await book(left.username)).toMatchObject([{ state: 'confirmed' }])
  })

  test('an untouched form without the tick records nothing; an amount that is none is named', async () => {
    const user = await customer()
    const path = `/admin?dialog=renew&on=${user.userId}`
    const wrong = { intent: 'renew', id: user.userId, ...PAID, paidAmount: 'five' }
    const refused = await sendForm(admin, path, wrong)
    expect([refused.status, refused.text.includes('This is not an amount')]).toEqual([400, true])
    expect(await daysLeft(user.userId)).toBe(5)
    await sendForm(admin, path, { intent: 'renew', id: user.userId })
    expect([await daysLeft(user.userId), await book(user.username)]).toEqual([35, []])
  })

  describe('afterwards, for a renewal without one', () => {
    /** Renews a customer in a hurry. Returns the address of the form for the payment on a page. */
    const hurry = async (plan = 'Business', kind = 'kind=renew&from=later') => {
      const user = await customer(plan)
      const path = `/admin/users/change?${kind}&ids=${user.userId}`
      const { location } = await sendForm(admin, path, { intent: 'apply', expected: '1' })
      const change = (location ?? '').split('?')[0] ?? ''
      const renewal = `${change.split('/').at(-1)}.${user.userId}`
      const dialogOn = (page: string) => `${page}?dialog=record-payment&on=${renewal}`
      return { user, change, renewal, dialogOn, page: `/admin/users/${user.userId}` }
    }
    const UNPAID = '/admin/payments/unpaid'
    const LATE = { intent: 'record-payment', paidCurrency: 'PKR', paidMethod: 'wallet' }

    test('A-PAY-2: on the customer’s page at the plan’s price, once, and the end stays; undo reverses both', async () => {
      const { user, change, renewal, dialogOn, page } = await hurry()
      expect((await openPage(admin, change)).text).toContain('1 renewal without a payment')
      const shown = await openPage(admin, dialogOn(page))
      expect(shown.text).toContain('Empty: 1,500 PKR, the plan’s price for 30 days.')
      const form = { ...LATE, renewal, paidReference: 'Late 1' }
      const wrong = await sendForm(admin, dialogOn(page), { ...form, paidAmount: 'five' })
      expect([wrong.status, wrong.html.includes('value="Late 1"')]).toEqual([400, true])
      const sent = await sendForm(admin, dialogOn(page), form)
      expect(sent.text).toContain('Payment recorded')
      expect(sent.text).not.toContain('Not paid')
      const [payment] = await book(user.username)
      expect(payment).toMatchObject({ plan: 'Business', amount: 150_000, days: 30 })
      expect(payment).toMatchObject({ reference: 'Late 1', state: 'confirmed' })
      expect(await daysLeft(user.userId)).toBe(35)
      const again = await sendForm(admin, dialogOn(page), { ...form, paidReference: 'Late 1b' })
      expect([again.status, again.text.includes('recorded its payment already')]).toEqual([
        409,
        true,
      ])
      expect(await book(user.username)).toHaveLength(1)
      await sendForm(admin, change, { intent: 'undo' })
      expect(await daysLeft(user.userId)).toBe(5)
      expect(await book(user.username)).toMatchObject([{ state: 'rejected' }])
      expect(await logOf(payment?.id ?? '')).toEqual(['payment.record', 'payment.undo'])
    })

    test('A-PAY-2: from the book, where such renewals are listed; a used reference has to be seen', async () => {
      const [first, second] = [await hurry(), await hurry('Starter', 'kind=add-days&days=60')]
      expect((await openPage(admin, PAGE)).html).toContain(`href="${UNPAID}"`)
      const listed = (await openPage(admin, UNPAID)).text
      for (const { user } of [first, second]) expect(listed).toContain(user.username)
      expect(listed).toContain('400 PKR')
      const record = ({ dialogOn, renewal }: typeof first, more = {}) =>
        sendForm(admin, dialogOn(UNPAID), { ...LATE, renewal, paidReference: 'late 2', ...more })
      expect((await record(first)).location).toBe(UNPAID)
      const refused = await record(second, { paidReference: 'LATE-2' })
      expect(refused.status).toBe(409)
      expect(refused.text).toMatch(
        new RegExp(`Already used by ${first.user.username} on .*Record it all the same`),
      )
      expect(await book(second.user.username)).toEqual([])
      await record(second, { isRepeatSeen: 'on' })
      expect(await book(second.user.username)).toMatchObject([{ amount: 40_000, days: 60 }])
      const left = (await openPage(admin, UNPAID)).text
      for (const { user } of [first, second]) expect(left).not.toContain(user.username)
    })

    test('A-PAY-2: not for one that was undone, one of nobody, or by a user', async () => {
      const { user, change, renewal, page } = await hurry()
      await sendForm(admin, change, { intent: 'undo' })
      for (const name of [renewal, 'none', `${renewal}.x`, `${renewal.split('.')[0]}.`])
        expect((await sendForm(admin, UNPAID, { ...LATE, renewal: name })).status).toBe(409)
      expect((await openPage(admin, page)).text).not.toContain('Not paid')
      expect((await sendForm(user, UNPAID, { ...LATE, renewal })).status).toBe(403)
      expect(await book(user.username)).toEqual([])
    })
  })
})

const PAGE = '/admin/payments'
const idOf = async (username: string) => (await book(username)).at(-1)?.id ?? ''
const CLAIM = { intent: 'claim', plan: 'Business', method: 'bank', currency: 'PKR' }

/** Reports a payment as somebody who is not signed in. */
const report = (fields: Record<string, string>) =>
  sendForm(product.client(), '/paid', { ...CLAIM, amount: '1500', ...fields })

describe('a customer reports a payment', () => {
  test('of a new number: confirming creates the account and prepares the chat; the claimant sees the state', async () => {
    const phone = number()
    const reported = await report({ phone, reference: 'new 1' })
    expect(reported.location).toMatch(/^\/paid\?claim=/)
    expect(reported.text).toContain('We will check it soon')
    expect((await report({ phone })).text).toContain('already waiting')

    expect((await openPage(admin, PAGE)).text).toContain('1 claim waiting.')
    const dialog = `${PAGE}?dialog=confirm&on=${await idOf(phone)}`
    expect((await openPage(admin, dialog)).text).toContain('No account has this number')
    const sent = await sendForm(admin, dialog, { intent: 'confirm-payment', id: await idOf(phone) })
    expect(sent.status).toBe(303)
    const shown = await admin.send('GET', sent.location ?? '')
    expect(shown.status).toBe(200)
    const [payment] = await book(phone)
    expect(payment).toMatchObject({ state: 'confirmed', amount: 150_000, days: 30 })
    expect(await daysLeft(payment?.user_id ?? '')).toBe(30)
    const seen = await openPage(product.client(), reported.location ?? '')
    expect(seen.text).toContain('Confirmed')
  })

  test('C12: without an amount it is the plan’s price, and in a currency without prices the amount is asked for', async () => {
    const user = await customer('Business', 4)
    const dirhams = await sendForm(user, '/paid', { ...CLAIM, amount: '', currency: 'AED' })
    expect([dirhams.status, dirhams.text.includes('Please enter the amount')]).toEqual([400, true])
    await sendForm(user, '/paid', { ...CLAIM, amount: '', currency: 'USD' })
    expect(await book(user.username)).toMatchObject([{ amount: 800 }])
    const phone = number()
    expect((await report({ phone, amount: '', plan: 'Starter' })).location).toContain('claim=')
    const [claim] = await book(phone)
    expect(claim).toMatchObject({ amount: 20_000 })
    // Who decides reads that it is not the customer's amount; a typed one says nothing.
    await report({ phone: number(), amount: '1500' })
    expect((await openPage(admin, PAGE)).text.match(/no amount was typed/g)).toHaveLength(2)
    const { text } = await openPage(admin, `${PAGE}?dialog=confirm&on=${claim?.id ?? ''}`)
    expect(text).toContain('200 PKR (the plan’s price: no amount was typed)')
  })

  test('issue 51: a currency is chosen from those of the plans, and the others stand apart', async () => {
    const { html } = await openPage(product.client(), '/paid')
    const [list] = /<select[^>]*name="currency".*?<\/select>/s.exec(html) ?? ['']
    expect(list.replaceAll(/<option[^>]*>|<\/option>/g, ' ')).toMatch(
      /^<select[^>]*>\s+PKR\s+USD\s+<optgroup label="Others">\s+INR /,
    )
  })

  test('A5: what a stranger reports for a customer’s number is not theirs, and does not close their form', async () => {
    const user = await customer('Starter', 5)
    const stranger = await report({ phone: user.username, amount: '1' })
    expect(stranger.text).toContain('We will check it soon')
    const page = await openPage(user, '/paid')
    expect(page.text).not.toContain('We will check it soon')
    expect(page.html).toContain('name="amount"')
    expect((await sendForm(user, '/paid', { ...CLAIM, amount: '1500' })).status).toBe(303)
    expect((await openPage(user, '/paid')).text).toContain('Business, 1,500 PKR')
    const own = await sendForm(user, '/paid', { ...CLAIM, amount: '1500' })
    expect([own.status, own.text.includes('already waiting')]).toEqual([409, true])
    // The other way round, and once more by a stranger.
    const again = await report({ phone: user.username })
    expect([again.status, again.text.includes('sign in to report your own')]).toEqual([409, true])
    const rows = await book(user.username)
    expect(rows.map(({ user_id }) => user_id)).toEqual([null, user.userId])
    expect((await openPage(admin, PAGE)).text).toContain('Reported without signing in')
    // Both are for the same account: the administrator decides which is true.
    for (const { id } of rows)
      await sendForm(admin, `${PAGE}?dialog=confirm&on=${id}`, {
        intent: 'confirm-payment',
        id,
        how: 'renew',
        isRepeatSeen: 'on',
        seenPlan: 'on',
        seenPrice: 'on',
      })
    expect((await book(user.username)).map((row) => row.user_id)).toEqual([
      user.userId,
      user.userId,
    ])
  })

  test('of somebody renewed lately: the dialog says so, and leads to the renewal', async () => {
    const user = await customer('Business', 4)
    await sendForm(user, '/paid', { ...CLAIM, amount: '1500' })
    const dialog = `${PAGE}?dialog=confirm&on=${await idOf(user.username)}`
    expect((await openPage(admin, dialog)).text).not.toContain('Renewed on')
    const renewed = await sendForm(admin, `/admin/users/${user.userId}`, {
      intent: 'renew',
      id: user.userId,
    })
    const { text, html } = await openPage(admin, dialog)
    expect(text).toMatch(/Renewed on \d+ \w+ \d{4} by \d+, until \d+ \w+ \d{4}\. If this/)
    expect(html).toMatch(/href="\/admin\/changes\/[\w-]+"[^>]*>undo that renewal/)
    const change = (renewed.location ?? '').split('?')[0] ?? ''
    await sendForm(admin, change, { intent: 'undo' })
    expect((await openPage(admin, dialog)).text).not.toContain('Renewed on')
  })

  test('of an administrator’s number: nothing is sold to that account', async () => {
    const boss = await product.user({ role: 'admin' })
    await report({ phone: boss.username })
    const id = await idOf(boss.username)
    const fields = { intent: 'confirm-payment', id, how: 'renew', seenRole: 'on', seenPlan: 'on' }
    const refused = await sendForm(admin, `${PAGE}?dialog=confirm&on=${id}`, fields)
    expect([refused.status, refused.text.includes('Nothing was changed')]).toEqual([409, true])
    expect(await book(boss.username)).toMatchObject([{ state: 'claimed' }])
  })

  test('of a trial: the plan comes with its own numbers; larger ones of an account stay', async () => {
    for (const [limit, sold] of [
      [3, 20],
      [500, 500],
    ] as const) {
      const user = await customer('Starter')
      await product.db.query('update users set video_limit = $2 where id = $1', [
        user.userId,
        limit,
      ])
      await report({ phone: user.username, plan: 'Starter', amount: '200' })
      const id = await idOf(user.username)
      const fields = { intent: 'confirm-payment', id, how: 'renew' }
      await sendForm(admin, `${PAGE}?dialog=confirm&on=${id}`, fields)
      const { rows } = await product.db.query('select video_limit from users where id = $1', [
        user.userId,
      ])
      expect(rows).toEqual([{ video_limit: sold }])
    }
  })

  test('of an account: in the account, with the end from the old one; a rejection tells why', async () => {
    const user = await customer('Business', 4)
    expect((await openPage(user, '/usage')).html).toContain('href="/paid"')
    await sendForm(user, '/paid', { ...CLAIM, amount: '15', currency: 'USD' })
    const id = await idOf(user.username)
    const rejecting = { intent: 'reject-payment', id }
    const without = await sendForm(admin, `${PAGE}?dialog=reject&on=${id}`, rejecting)
    expect([without.status, without.text.includes('Please enter a reason')]).toEqual([400, true])
    const reason = 'It did not arrive'
    await sendForm(admin, `${PAGE}?dialog=reject&on=${id}`, { ...rejecting, reason })
    expect((await openPage(user, '/paid')).text).toContain(reason)
    // It arrived after all.
    const confirming = { intent: 'confirm-payment', id, how: 'renew' }
    await sendForm(admin, `${PAGE}?dialog=confirm&on=${id}`, confirming)
    expect(await daysLeft(user.userId)).toBe(34)
    expect(await logOf(id)).toEqual(['payment.reject', 'payment.confirm'])
    const twice = await sendForm(admin, `${PAGE}?dialog=confirm&on=${id}`, confirming)
    expect([twice.status, twice.text.includes('This payment is confirmed')]).toEqual([409, true])
  })

  test('of a better plan: it can replace the plan until the end that the account has', async () => {
    const user = await customer('Starter', 15)
    await report({ phone: user.username, amount: '650' })
    const id = await idOf(user.username)
    const dialog = `${PAGE}?dialog=confirm&on=${id}`
    expect((await openPage(admin, dialog)).text).toMatch(/Business instead of Starter.*650 PKR/)
    await sendForm(admin, dialog, { intent: 'confirm-payment', id, how: 'upgrade' })
    expect(await daysLeft(user.userId)).toBe(15)
    const { rows } = await product.db.query('select plan, video_limit from users where id = $1', [
      user.userId,
    ])
    expect(rows).toEqual([{ plan: 'Business', video_limit: 400 }])
    await sendForm(admin, `/admin/changes/${(await book(user.username))[0]?.change_id}`, {
      intent: 'undo',
    })
    expect(await book(user.username)).toMatchObject([{ state: 'rejected' }])
  })

  test('a reference that was used is shown, and confirmed only with a tick', async () => {
    const [first, second] = [await customer(), await customer()]
    await report({ phone: first.username, reference: 'Slip 9' })
    const confirm = async (username: string, more = {}) => {
      const id = await idOf(username)
      const fields = { intent: 'confirm-payment', id, how: 'renew', seenPlan: 'on', ...more }
      return sendForm(admin, `${PAGE}?dialog=confirm&on=${id}`, fields)
    }
    expect((await confirm(first.username)).status).toBe(303)
    await report({ phone: second.username, reference: 'SLIP-9' })
    const dialog = `${PAGE}?dialog=confirm&on=${await idOf(second.username)}`
    expect((await openPage(admin, dialog)).text).toContain(`Already used by ${first.username} on`)
    expect((await confirm(second.username)).status).toBe(409)
    expect(await daysLeft(second.userId)).toBe(5)
    expect((await confirm(second.username, { isRepeatSeen: 'on' })).status).toBe(303)
    expect((await openPage(admin, `${PAGE}?reference=slip9`)).text).toContain('Used twice')
  })

  test('the reference of a rejected payment may be used again', async () => {
    const [first, second] = [await customer('Business'), await customer('Business')]
    await report({ phone: first.username, reference: 'Slip 10' })
    const wrong = await idOf(first.username)
    const reject = { intent: 'reject-payment', id: wrong, reason: 'Another customer’s slip' }
    await sendForm(admin, `${PAGE}?dialog=reject&on=${wrong}`, reject)
    await report({ phone: second.username, reference: 'slip-10' })
    const id = await idOf(second.username)
    const dialog = `${PAGE}?dialog=confirm&on=${id}`
    expect((await openPage(admin, dialog)).text).not.toContain('Already used by')
    const confirm = { intent: 'confirm-payment', id, how: 'renew' }
    expect((await sendForm(admin, dialog, confirm)).status).toBe(303)
    expect(await daysLeft(second.userId)).toBe(35)
  })

  test('with a picture: it is encoded again, a repeated one is found, and others are refused', async () => {
    const canvas = createCanvas(400, 300)
    canvas.getContext('2d').fillRect(20, 30, 200, 100)
    const png = canvas.toBuffer('image/png')
    const send = async (picture: Buffer, phone: string) => {
      const body = new FormData()
      const fields = { ...CLAIM, amount: '1500', phone }
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      body.set('screenshot', new File([new Uint8Array(picture)], 'receipt.png'))
      const packed = new Response(body)
      const answer = await product.client().send('POST', '/paid', {
        body: Buffer.from(await packed.arrayBuffer()),
        headers: {
          'content-type': packed.headers.get('content-type') ?? '',
          'sec-fetch-site': 'same-origin',
        },
      })
      return { status: answer.status, text: await answer.text() }
    }
    const [one, two] = [number(), number()]
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const bomb = Buffer.from(png)
    bomb.writeUInt32BE(60_000, 16)
    for (const bad of [script, bomb, png.subarray(0, 60), Buffer.alloc(2_500_000)])
      expect((await send(bad, one)).status).toBe(400)
    expect((await send(Buffer.alloc(3_500_000), one)).status).toBe(413)
    expect((await send(png, one)).status).toBe(303)
    // The same picture in another file.
    const tagged = Buffer.concat([png, Buffer.from('and more')])
    expect((await send(tagged, two)).status).toBe(303)

    const id = await idOf(one)
    const stored = await admin.send('GET', `${PAGE}/${id}/screenshot`)
    const jpeg = Buffer.from(await stored.arrayBuffer())
    expect([stored.headers.get('content-type'), jpeg.readUInt16BE(0)]).toEqual([
      'image/jpeg',
      0xffd8,
    ])
    expect((await product.client().send('GET', `${PAGE}/${id}/screenshot`)).status).toBe(303)
    const dialog = await openPage(admin, `${PAGE}?dialog=confirm&on=${id}`)
    expect(dialog.text).toContain(`Already used by ${two} on`)
  })
})

describe('the book', () => {
  test('a refund knows the policy and its amount, and never returns more than was paid', async () => {
    const user = await customer('Business', 3)
    const form = { intent: 'renew', id: user.userId, ...PAID }
    await sendForm(admin, `/admin?dialog=renew&on=${user.userId}`, form)
    const id = await idOf(user.username)
    const dialog = `${PAGE}?dialog=refund&on=${id}`
    const { html, text } = await openPage(admin, dialog)
    expect(text).toContain('By the policy 750 PKR is returned')
    expect(html).toMatch(/name="amount"[^>]*value="750"|value="750"[^>]*name="amount"/)
    const refund = { intent: 'refund-payment', id, reason: 'Asked on day 1' }
    expect((await sendForm(admin, dialog, { ...refund, amount: '1501' })).status).toBe(400)
    expect((await sendForm(admin, dialog, { ...refund, amount: '750' })).status).toBe(303)
    expect(await book(user.username)).toMatchObject([{ state: 'refunded', refunded: 75_000 }])
    // The renewal is undone afterwards: the money was given back, and stays so in the book.
    const [payment] = await book(user.username)
    const change = `/admin/changes/${payment?.change_id}`
    expect((await openPage(admin, change)).text).not.toContain('1 payment recorded')
    await sendForm(admin, change, { intent: 'undo' })
    expect(await daysLeft(user.userId)).toBe(3)
    expect(await book(user.username)).toMatchObject([{ state: 'refunded', refunded: 75_000 }])
    expect(await logOf(id)).toEqual(['payment.record', 'payment.refund'])
  })

  test('filters find lines, a month adds up by plan, method and currency, and the file is safe', async () => {
    await product.db.query('delete from payments')
    const paid = async (plan: string, more: Record<string, string>) => {
      const user = await customer(plan)
      const form = { intent: 'renew', id: user.userId, ...PAID, ...more }
      await sendForm(admin, `/admin?dialog=renew&on=${user.userId}`, form)
      return user
    }
    const formula = await paid('Starter', { paidReference: '=1+1' })
    await paid('Starter', { paidMethod: 'bank' })
    await paid('Business', { paidCurrency: 'USD' })
    const { text } = await openPage(admin, PAGE)
    for (const line of ['All in PKR', 'All in USD', '400 PKR', '8 USD'])
      expect(text).toContain(line)
    expect(text).not.toContain('408')
    const found = await openPage(admin, `${PAGE}?method=bank&plan=Starter&state=confirmed`)
    expect(found.text).not.toContain(formula.username)
    const csv = await (
      await admin.send('GET', `${PAGE}/export?customer=${formula.username}`)
    ).text()
    expect(csv).toContain(`,${formula.username},Starter,200,0,PKR,wallet,'=1+1,confirmed,`)
    expect((await product.client().send('GET', PAGE)).status).toBe(303)
    expect((await openPage(formula, PAGE)).status).toBe(403)
  })
})
