import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

const product = useInstallation()
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

const PAID = { isPaid: 'on', paidCurrency: 'PKR', paidMethod: 'wallet' }

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
    })
    expect(await daysLeft(user.userId)).toBe(35)
    expect(await book(user.username)).toMatchObject([{ amount: 45_000, days: 30 }])
    await sendForm(admin, renewed.location ?? '', { intent: 'undo' })
    expect(await daysLeft(user.userId)).toBe(5)
    expect(await book(user.username)).toMatchObject([{ state: 'rejected' }])
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
    expect(refused.text).toMatch(/Already used by \S+ on \d{4}-/)
    expect(await daysLeft(users[0]!.userId)).toBe(35)
    const seen = { ...form, paidReference: 'REF-77', isRepeatSeen: 'on' }
    expect((await sendForm(admin, path, seen)).status).toBe(303)
    expect(await daysLeft(users[0]!.userId)).toBe(65)
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
})
