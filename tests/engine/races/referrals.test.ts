import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBrought } from '../../../app/domain/accounts/referrals.server'
import { broughtTexts } from '../../../app/domain/accounts/referrals'
import { register } from '../../../app/domain/accounts/register.server'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { editPaidUser } from '../../../app/domain/administration/changes/edit-paid.server'
import { recordLatePayment } from '../../../app/domain/administration/changes/late-payment.server'
import { listUnpaid } from '../../../app/domain/administration/changes/sold-acts.server'
import {
  getBulkChange,
  undoBulkChange,
} from '../../../app/domain/administration/changes/undo-bulk-change.server'
import { changeReferral } from '../../../app/domain/administration/change-business.server'
import { makeCodesInput } from '../../../app/domain/administration/codes/code-schemas'
import { makeCodes } from '../../../app/domain/administration/codes/make-codes.server'
import {
  redeemCode,
  registerWithCode,
} from '../../../app/domain/administration/codes/redeem-code.server'
import { confirmClaim } from '../../../app/domain/administration/confirm-claim.server'
import { toEntry } from '../../../app/domain/administration/imports/import-rules'
import { importUsers } from '../../../app/domain/administration/imports/import-users.server'
import { readSales } from '../../../app/domain/administration/overview/sales.server'
import { ALL_SEEN, NO_TICKS } from '../../../app/domain/administration/ticks'
import { quickCreateUser } from '../../../app/domain/administration/users/create-user.server'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import type { Referral } from '../../../app/domain/business/types'
import {
  RIGHTS,
  type AdminCtx,
  type KnownDevice,
  type UserCtx,
  type VisitorCtx,
} from '../../../app/domain/context'
import { lastPaidBy, lastPaymentsOf } from '../../../app/domain/payments/book.server'
import { claimPayment } from '../../../app/domain/payments/claim.server'
import { refundPayment } from '../../../app/domain/payments/decide.server'
import {
  findPayment,
  monthTotals,
  readPayments,
  referralCosts,
} from '../../../app/domain/payments/list.server'
import { paymentsQuery, type PaidTerms } from '../../../app/domain/payments/schemas'
import { generate } from '../../support/engine/actions'
import { unitsOf } from '../../support/acts/account-acts'
import { useEngine } from '../../support/engine/shared-engine'
import { findViolations } from '../../support/invariants'

// What an invitation brings (issue 53.3), with everything that can meet it. Each test ends with the invariants.

const engine = useEngine()
const DAY = 86_400_000
let admin: AdminCtx
beforeAll(async () => {
  admin = await engine.admin()
})
const WEEK: Referral = { unit: 'days', amount: 7, perMonth: 5 }
beforeEach(() => changeReferral(admin, WEEK))

let numbers = 0
const visitor = (by: UserCtx | null, device: KnownDevice | null = null): VisitorCtx => ({
  ...engine.deps,
  requestId: 'test',
  actor: {
    kind: 'visitor',
    address: `10.53.${++numbers}.1`,
    device,
    invitedBy: by?.actor.id ?? null,
  },
})
const phoneOf = () => `92345${String(1_000_000 + ++numbers)}`

/** A customer with nine days left. */
async function customer(columns: Record<string, unknown> = {}): Promise<UserCtx> {
  const user = await engine.user({ plan: 'Business' })
  await set(user, { expiry_date: new Date((await engine.clock.now()) + 9 * DAY), ...columns })
  return user
}
async function set({ actor }: UserCtx, columns: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(columns))
    await engine.pool.query(`update users set ${name} = $2 where id = $1`, [actor.id, value])
}
const asUser = (id: string, username: string): UserCtx => ({
  ...engine.deps,
  requestId: 'test',
  actor: { kind: 'user', id, username, role: 'user' },
})
/** Somebody who opens an account with the link of a customer: three days of a trial. */
async function join(by: UserCtx | null, phone = phoneOf(), device: KnownDevice | null = null) {
  const account = await register(visitor(by, device), { phone, password: 'secret-1' })
  return asUser(account.id, account.username)
}
const paid = (): PaidTerms => ({
  amount: null,
  currency: 'PKR',
  method: 'bank',
  reference: null,
  isRepeatSeen: false,
})
const target = (...users: UserCtx[]) => ({
  scope: 'chosen' as const,
  picked: users.map(({ actor }) => actor.id),
  filters: userFilterQuery.parse({}),
})
/** Sells 30 days, with a payment unless `terms` is null. */
const renew = (users: UserCtx[], terms: PaidTerms | null = paid(), ctx = admin) =>
  applyBulkChange(
    ctx,
    { action: { kind: 'renew', from: 'later' }, target: target(...users), paid: terms },
    { expected: users.length, key: undefined, seller: { ticks: ALL_SEEN } },
  )
const undo = (id: string) => undoBulkChange(admin, id, { ticks: ALL_SEEN })

async function daysOf({ actor }: UserCtx): Promise<number | null> {
  const { rows } = await engine.pool.query<{ days: number | null }>(
    `select round(extract(epoch from expiry_date - engine_now()) / 86400)::int as days from users where id = $1`,
    [actor.id],
  )
  return rows[0]!.days
}
const daysOfAll = (...users: UserCtx[]) => Promise.all(users.map(daysOf))
type Kept = { state: string; change_id: string | null; paid_change_id: string | null }
async function kept({ actor }: UserCtx): Promise<Kept | undefined> {
  const { rows } = await engine.pool.query<Kept>('select * from referrals where invited_id = $1', [
    actor.id,
  ])
  return rows[0]
}
const bookOf = async ({ actor }: UserCtx, method = 'referral') =>
  (await readPayments(admin, paymentsQuery.parse({ customer: actor.username, method }), 50)).map(
    ({ state, amount, cost, note }) => ({ state, amount, cost, note }),
  )
const takenFrom = (...users: UserCtx[]) => {
  const names = users.map(({ actor }) => actor.username)
  return `The reward of a referral is taken back. ${names.length} users: ${names.join(', ')}.`
}
const sound = async () => expect(await findViolations(engine.pool)).toEqual({})

describe('the first payment', () => {
  test('U-REF-1: both get the days once, in one change, with entries in the book and the log', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    expect(await kept(invited)).toMatchObject({ state: 'waiting', change_id: null })
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([40, 16])
    const given = { state: 'confirmed', amount: 0 }
    const note = `7 days for inviting ${invited.actor.username}`
    expect(await bookOf(invited)).toEqual([{ ...given, cost: 47_00, note }])
    expect(await bookOf(inviter)).toEqual([{ ...given, cost: 350_00, note }])
    const change = await getBulkChange(admin, (await kept(invited))?.change_id ?? '')
    expect(change).toMatchObject({ kind: 'refer', count: 2, undoneAt: null })
    const { rows } = await engine.pool.query<{ subject_name: string }>(
      `select subject_name from trail_entries where action = 'user.refer' order by subject_name`,
    )
    expect(rows.map((row) => row.subject_name)).toEqual(
      [invited, inviter].map(({ actor }) => actor.username).sort(),
    )
    // A second payment brings nothing more.
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([70, 16])
    expect(broughtTexts(await readBrought(inviter))).toEqual([
      'Accounts opened with it: 1. First payments to come: 0.',
      '1 first payment brought you 7 days.',
    ])
    await sound()
  })

  test('issue 53.3: it is the book’s cost and nobody’s income, first sale or last payment', async () => {
    const month = new Date(await engine.clock.now()).toISOString().slice(0, 7)
    const totals = () => monthTotals(admin, month)
    const inviter = await customer()
    const invited = await join(inviter)
    const costs = (await referralCosts(admin, month))[0]?.amount ?? 0
    await renew([invited], { ...paid(), amount: 200_00 })
    const after = await totals()
    expect(after.some(({ method }) => method === 'referral')).toBe(false)
    expect(await referralCosts(admin, month)).toMatchObject([{ amount: costs + 397_00 }])
    const all = after.find(({ plan, method }) => plan === null && method === null)!
    const byPlan = after.filter(({ plan }) => plan !== null)
    expect(byPlan.reduce((sum, { count }) => sum + count, 0)).toBe(all.count)
    const last = await lastPaymentsOf(admin.db, [invited.actor.id, inviter.actor.id])
    expect(last.get(invited.actor.id)).toMatchObject({ method: 'bank', amount: 200_00 })
    expect(last.get(inviter.actor.id)).toBeUndefined()
    expect(await lastPaidBy(admin.db, admin.actor.username)).toMatchObject({ method: 'bank' })
    // The overview counts what was sold, and nothing that was given.
    const before = await readSales(admin)
    await renew([await join(inviter)])
    const sold = ({ weeks }: typeof before) =>
      weeks.flatMap(({ plans }) => plans).reduce((sum, each) => sum + each.sales + each.renewals, 0)
    expect(sold(await readSales(admin)) - sold(before)).toBe(1)
    await sound()
  })

  test('issue 53.3: a claim, an edit, a late payment and a code each count as one', async () => {
    const inviter = await customer()
    const claims = await join(inviter)
    const claim = {
      plan: 'Starter',
      method: 'bank',
      amount: '200',
      currency: 'PKR',
      reference: null,
      note: null,
    } as const
    const id = await claimPayment({ ...visitor(null) }, claim, {
      claimant: { account: claims.actor },
      readScreenshot: () => Promise.resolve(null),
    })
    await engine.drain()
    const { user } = await confirmClaim(admin, { id, how: 'renew', isRepeatSeen: false })
    expect(user.expiryDate).toBe((await stored(claims)).toISOString())
    expect(await daysOfAll(claims, inviter)).toEqual([40, 16])

    const edits = await join(inviter)
    const edited = await editPaidUser(
      admin,
      { id: edits.actor.id, plan: 'Starter', expireDays: 30, seller: { ticks: ALL_SEEN } },
      paid(),
    )
    expect(edited.user.expiryDate).toBe((await stored(edits)).toISOString())
    expect(await daysOfAll(edits, inviter)).toEqual([37, 23])

    const late = await join(inviter)
    await renew([late], null)
    expect(await daysOfAll(late, inviter)).toEqual([33, 23])
    const [unpaid] = await listUnpaid(admin.db, { userId: late.actor.id })
    await recordLatePayment(admin, unpaid!.id, { paid: paid(), seller: { ticks: ALL_SEEN } })
    expect(await daysOfAll(late, inviter)).toEqual([40, 30])

    const redeems = await join(inviter)
    const [one = '', two = ''] = await codes(2)
    const asked = { ...redeems, requestId: 'test' }
    await redeemCode(asked, { holder: redeems.actor, address: '10.1.1.1', typed: one, seen: null })
    expect(await daysOfAll(redeems, inviter)).toEqual([40, 37])

    const phone = phoneOf()
    const made = await registerWithCode(visitor(inviter), {
      phone,
      password: 'secret-1',
      typed: two,
    })
    expect(await daysOfAll(asUser(made.id, phone), inviter)).toEqual([37, 44])
    await sound()
  })

  test('issue 53.3: days without a payment, an import and an account made by an administrator bring nothing', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    await renew([invited], null)
    await editUser(admin, { id: invited.actor.id, plan: 'Business' })
    const entry = { username: invited.actor.username, password: '[HASHED]', plan: 'Enterprise' }
    await importUsers(admin, [toEntry(entry)], { changesRoles: false, ticks: ALL_SEEN })
    expect(await kept(invited)).toMatchObject({ state: 'waiting' })
    const { username } = await quickCreateUser(admin, { phone: phoneOf(), plan: 'Starter' }, paid())
    const { rows } = await engine.pool.query(
      'select 1 from referrals join users on id = invited_id where username = $1',
      [username],
    )
    expect(rows).toEqual([])
    expect(await daysOf(inviter)).toBe(9)
    await sound()
  })
})

const stored = async ({ actor }: UserCtx): Promise<Date> =>
  (
    await engine.pool.query<{ at: Date }>('select expiry_date as at from users where id = $1', [
      actor.id,
    ])
  ).rows[0]!.at
const codes = async (count: number) =>
  (
    await makeCodes(
      { ...admin, actor: { ...admin.actor, rights: RIGHTS } },
      makeCodesInput.parse({ plan: 'Starter', days: 30, count }),
    )
  ).codes

describe('one person once', () => {
  test('U-REF-2: who invites themselves in the same browser, or comes from a browser that was signed in, is not invited', async () => {
    const inviter = await customer()
    const device = { id: '01a203ac-9e11-7c3a-8f55-2f6a1d0b4c01', username: inviter.actor.username }
    expect(await kept(await join(inviter, phoneOf(), device))).toBeUndefined()
  })

  test('U-REF-2: a browser that both have used later is one person', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    for (const { actor } of [inviter, invited])
      await engine.pool.query(
        `insert into known_devices (user_id, device_id, seen_at) values ($1, $2, engine_now())`,
        [actor.id, '01a203ac-9e11-7c3a-8f55-2f6a1d0b4c02'],
      )
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([33, 9])
    expect(await kept(invited)).toMatchObject({ state: 'same-person', change_id: null })
    await sound()
  })

  test('U-REF-2: a number that has paid, was deleted and registers again is no new one; one that had not paid is', async () => {
    const inviter = await customer()
    const phone = phoneOf()
    const first = await join(inviter, phone)
    await renew([first])
    await deleteUser(admin, first.actor.id)
    const second = await join(inviter, phone)
    await renew([second])
    expect(await kept(second)).toMatchObject({ state: 'same-person' })
    expect(await daysOf(inviter)).toBe(16)
    const other = phoneOf()
    await deleteUser(admin, (await join(inviter, other)).actor.id)
    await renew([await join(inviter, other)])
    expect(await daysOf(inviter)).toBe(23)
    await sound()
  })

  test.each([
    ['nobody', () => null],
    ['an id that is none', () => asUser('nobody', 'x')],
    ['an account that is deleted', () => customer({ deleted_at: new Date() })],
    ['an account that is disabled', () => customer({ is_active: false })],
    ['an editor', () => customer({ role: 'editor' })],
  ])('issue 53.3: the link of %s invites nobody', async (_, by) => {
    expect(await kept(await join(await by()))).toBeUndefined()
  })
})

describe('what cannot be given', () => {
  test.each([
    ['is disabled', { is_active: false }],
    ['is deleted', { deleted_at: new Date() }],
    ['has no end', { expiry_date: null }],
    ['has no plan', { plan: null, expiry_date: null }],
    ['has become an editor', { role: 'editor' }],
  ])(
    'issue 53.3: an inviter who %s gets nothing, and the invited their days',
    async (_, columns) => {
      const inviter = await customer()
      const invited = await join(inviter)
      await set(inviter, columns)
      const before = await daysOf(inviter)
      await renew([invited])
      expect(await daysOfAll(invited, inviter)).toEqual([40, before])
      expect(await kept(invited)).toMatchObject({ state: 'unable' })
      expect(await bookOf(inviter)).toEqual([])
      await sound()
    },
  )

  test('issue 53.3: days of an inviter whose plan has ended begin today', async () => {
    const inviter = await customer({ expiry_date: new Date((await engine.clock.now()) - 20 * DAY) })
    const invited = await join(inviter)
    await renew([invited])
    expect(await daysOf(inviter)).toBe(7)
    await sound()
  })

  test('issue 53.3: at most so often a month, the next month again; the invited gets theirs all the same', async () => {
    await changeReferral(admin, { ...WEEK, perMonth: 1 })
    const inviter = await customer()
    const [one, two, three] = [await join(inviter), await join(inviter), await join(inviter)]
    await renew([one])
    await renew([two])
    expect(await daysOfAll(one, two, inviter)).toEqual([40, 40, 16])
    expect(await kept(two)).toMatchObject({ state: 'cap' })
    expect(broughtTexts(await readBrought(inviter))).toContain(
      '1 first payment brought nothing: this month’s rewards were used up.',
    )
    await engine.clock.move(32 * DAY)
    await renew([three])
    expect(await kept(three)).toMatchObject({ state: 'given' })
    await sound()
  })

  test('U-REF-1: two payments at the same moment do not pass the cap, nor one person twice', async () => {
    await changeReferral(admin, { ...WEEK, perMonth: 1 })
    for (let trial = 0; trial < 8; trial++) {
      const inviter = await customer()
      const joined = [await join(inviter), await join(inviter)]
      await Promise.all([
        ...joined.map((invited) => renew([invited])),
        renew([inviter], null),
        ...joined.map((invited) => renew([invited])),
      ])
      const states = await Promise.all(joined.map(kept))
      expect(states.map((row) => row?.state).sort()).toEqual(['cap', 'given'])
      expect(await daysOfAll(...joined, inviter)).toEqual([70, 70, 46])
    }
    await sound()
  })

  test('issue 53.3: what is set at the payment counts: switched off, or another number', async () => {
    const inviter = await customer()
    const [one, two] = [await join(inviter), await join(inviter)]
    await changeReferral(admin, { ...WEEK, amount: 3 })
    await renew([one])
    expect(await daysOfAll(one, inviter)).toEqual([36, 12])
    await changeReferral(admin, null)
    await renew([two])
    expect(await daysOfAll(two, inviter)).toEqual([33, 12])
    expect(await kept(two)).toMatchObject({ state: 'off' })
    expect(await kept(await join(inviter))).toBeUndefined()
    await sound()
  })
})

describe('taking it back', () => {
  test('issue 53.3: a refund leaves the days, as it leaves those that were paid for', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    await renew([invited])
    const [payment] = await readPayments(
      admin,
      paymentsQuery.parse({ customer: invited.actor.username, method: 'bank' }),
      1,
    )
    await refundPayment(admin, { id: payment!.id, amount: '1', reason: 'Asked for it' })
    expect(await daysOfAll(invited, inviter)).toEqual([40, 16])
    // Then the change is undone, and with it the reward.
    await undo(payment!.changeId!)
    expect(await daysOfAll(invited, inviter)).toEqual([3, 9])
    const [reward] = await readPayments(
      admin,
      paymentsQuery.parse({ customer: inviter.actor.username, method: 'referral' }),
      1,
    )
    await expect(
      refundPayment(admin, { id: reward!.id, amount: '1', reason: 'No' }),
    ).rejects.toThrow('This payment is rejected')
    await sound()
  })

  test('issue 53.3: nothing is refunded of a reward', async () => {
    const inviter = await customer()
    await renew([await join(inviter)])
    const [reward] = await readPayments(
      admin,
      paymentsQuery.parse({ customer: inviter.actor.username }),
      1,
    )
    await expect(
      refundPayment(admin, { id: reward!.id, amount: '1', reason: 'No' }),
    ).rejects.toThrow('Only 0 PKR was paid')
    expect(await findPayment(admin.db, reward!.id)).toMatchObject({ state: 'confirmed' })
  })

  test('U-REF-3: undoing the sale takes both rewards back, and the right payment brings them', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    const { changeId } = await renew([invited])
    expect((await getBulkChange(admin, changeId)).surprises).toEqual([
      { name: 'reward', text: takenFrom(inviter, invited) },
    ])
    expect(await undo(changeId)).toEqual({ restored: [invited.actor.id], left: 0 })
    expect(await daysOfAll(invited, inviter)).toEqual([3, 9])
    expect(await kept(invited)).toMatchObject({ state: 'waiting', change_id: null })
    expect(await bookOf(inviter)).toMatchObject([{ state: 'rejected' }])
    await sound()
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([40, 16])
    await sound()
  })

  test('U-REF-3: rewards that came after the page of the change was opened are named before the undo', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    const { changeId } = await renew([invited], null)
    expect((await getBulkChange(admin, changeId)).surprises).toEqual([])
    const [unpaid] = await listUnpaid(admin.db, { userId: invited.actor.id })
    await recordLatePayment(admin, unpaid!.id, { paid: paid(), seller: { ticks: ALL_SEEN } })
    await expect(undoBulkChange(admin, changeId)).rejects.toMatchObject({
      code: 'CONFLICT',
      fields: { seenReward: [takenFrom(inviter, invited)] },
    })
    expect(await daysOfAll(invited, inviter)).toEqual([40, 16])
    await undoBulkChange(admin, changeId, { ticks: { ...NO_TICKS, seenReward: true } })
    expect(await daysOfAll(invited, inviter)).toEqual([3, 9])
    await sound()
  })

  test('U-REF-3: an undo that ends the plan of an inviter says so before', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    await set(invited, { expiry_date: new Date((await engine.clock.now()) + 40 * DAY) })
    const { changeId } = await renew([invited])
    await engine.clock.move(12 * DAY)
    const expired = expect.stringContaining(`1 user: ${inviter.actor.username}.`) as string
    expect((await getBulkChange(admin, changeId)).surprises).toContainEqual({
      name: 'expired',
      text: expired,
    })
    await expect(
      undoBulkChange(admin, changeId, { ticks: { ...NO_TICKS, seenReward: true } }),
    ).rejects.toMatchObject({ fields: { seenExpired: [expired] } })
    expect(await daysOfAll(invited, inviter)).toEqual([65, 4])
  })

  test('issue 53.3: after the days were used, the undo puts both ends back into the past', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    const { changeId } = await renew([invited])
    await engine.clock.move(14 * DAY)
    await undo(changeId)
    expect(await daysOfAll(invited, inviter)).toEqual([-11, -5])
    await sound()
  })

  test('issue 53.3: an inviter who was renewed since keeps the days, and no further payment brings them again', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    const { changeId } = await renew([invited])
    await renew([inviter])
    await undo(changeId)
    expect(await daysOfAll(invited, inviter)).toEqual([3, 46])
    expect(await kept(invited)).toMatchObject({ state: 'given' })
    await sound()
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([33, 46])
    await sound()
  })

  test('issue 53.3: a reward can be undone alone, and does not come back', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    await renew([invited])
    await undo((await kept(invited))!.change_id!)
    expect(await daysOfAll(invited, inviter)).toEqual([33, 9])
    expect(await kept(invited)).toMatchObject({ state: 'undone' })
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([63, 9])
    await sound()
  })

  test('issue 53.3: one change for both and two of their invited is undone as one', async () => {
    const inviter = await customer()
    const joined = [await join(inviter), await join(inviter)]
    const { changeId } = await renew([inviter, ...joined])
    expect(await daysOfAll(inviter, ...joined)).toEqual([53, 40, 40])
    await sound()
    expect(await undo(changeId)).toMatchObject({ left: 0 })
    expect(await daysOfAll(inviter, ...joined)).toEqual([9, 3, 3])
    await sound()
  })

  test('issue 53.3: a payment whose reward cannot be written is not confirmed either', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    await engine.pool.query(`
      create function break_reward() returns trigger language plpgsql as $$
        begin raise exception 'killed'; end $$;
      create trigger break_reward before update on referrals for each row execute function break_reward()`)
    try {
      await expect(renew([invited])).rejects.toThrow('killed')
    } finally {
      await engine.pool.query(
        'drop trigger break_reward on referrals; drop function break_reward()',
      )
    }
    expect(await daysOfAll(invited, inviter)).toEqual([3, 9])
    expect(await bookOf(invited, 'bank')).toEqual([])
    await renew([invited])
    expect(await daysOfAll(invited, inviter)).toEqual([40, 16])
    await sound()
  })
})

describe('videos', () => {
  const FIVE: Referral = { unit: 'videos', amount: 5, perMonth: 5 }
  beforeEach(() => changeReferral(admin, FIVE))
  const gifted = async (user: UserCtx) =>
    (await unitsOf({ engine } as Parameters<typeof unitsOf>[0], user)).gifted

  test('issue 53.3: both get them for the day of the payment, as many as each of theirs counts', async () => {
    const inviter = await customer({ clip_units: 2 })
    const invited = await join(inviter)
    const { changeId } = await renew([invited])
    expect([await gifted(invited), await gifted(inviter)]).toEqual([5, 10])
    expect(await daysOfAll(invited, inviter)).toEqual([33, 9])
    expect(await bookOf(invited)).toMatchObject([{ amount: 0, cost: 2_00 }])
    expect(broughtTexts(await readBrought(inviter))).toContain(
      '1 first payment brought you 5 videos.',
    )
    await sound()
    // One is used: it cannot be taken back.
    await set(inviter, { video_limit: 2 })
    for (let i = 0; i < 2; i++) await generate(inviter)
    await undo(changeId)
    expect([await gifted(invited), await gifted(inviter)]).toEqual([0, 2])
    expect(await kept(invited)).toMatchObject({ state: 'waiting' })
    await sound()
  })

  test('issue 53.3: an undo on another day leaves what the day has taken, as a cost', async () => {
    const inviter = await customer()
    const invited = await join(inviter)
    const { changeId } = await renew([invited])
    await engine.clock.move(DAY)
    await undo(changeId)
    expect(await kept(invited)).toMatchObject({ state: 'given' })
    expect(await bookOf(inviter)).toMatchObject([{ state: 'confirmed' }])
    await renew([invited])
    expect(await gifted(inviter)).toBe(0)
    await sound()
  })

  test('issue 53.3: a plan without an end gets them, one that has ended does not', async () => {
    const [endless, ended] = [await customer({ expiry_date: null }), await customer()]
    const [one, two] = [await join(endless), await join(ended)]
    await set(ended, { expiry_date: new Date((await engine.clock.now()) - DAY) })
    await renew([one])
    await renew([two])
    expect([await gifted(endless), await gifted(ended)]).toEqual([5, 0])
    expect(await kept(two)).toMatchObject({ state: 'unable' })
    await sound()
  })
})
