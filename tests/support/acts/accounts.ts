import { expect } from 'vitest'
import { standing } from '../../../app/domain/accounts/rules'
import { findSignedIn, startSession } from '../../../app/domain/accounts/sessions.server'
import {
  applyBulkChange,
  previewBulkChange,
} from '../../../app/domain/administration/changes/bulk-change.server'
import type { BulkAction } from '../../../app/domain/administration/changes/bulk-schemas'
import { editPaidUser } from '../../../app/domain/administration/changes/edit-paid.server'
import { recordLatePayment } from '../../../app/domain/administration/changes/late-payment.server'
import { findUnpaid, listUnpaid } from '../../../app/domain/administration/changes/sold-acts.server'
import {
  getBulkChange,
  undoBulkChange,
} from '../../../app/domain/administration/changes/undo-bulk-change.server'
import {
  accountOf,
  confirmClaim,
  foreseeClaim,
} from '../../../app/domain/administration/confirm-claim.server'
import { helperRenew } from '../../../app/domain/administration/helpers/helper-acts.server'
import { helperConfirm } from '../../../app/domain/administration/helpers/helper-claims.server'
import { listHelpers } from '../../../app/domain/administration/helpers/helpers.server'
import { toEntry } from '../../../app/domain/administration/imports/import-rules'
import { importUsers } from '../../../app/domain/administration/imports/import-users.server'
import { ALL_SEEN, NO_TICKS } from '../../../app/domain/administration/ticks'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import { findManagedUser } from '../../../app/domain/administration/users/users-query.server'
import type { UserCtx } from '../../../app/domain/context'
import { AppError } from '../../../app/domain/errors'
import { lastPaymentsOf } from '../../../app/domain/payments/book.server'
import { claimPayment } from '../../../app/domain/payments/claim.server'
import { refundPayment, rejectClaim } from '../../../app/domain/payments/decide.server'
import { findPayment, listOwnClaims, readPayments } from '../../../app/domain/payments/list.server'
import { paymentsQuery, type PaidTerms } from '../../../app/domain/payments/schemas'
import type { PaymentState } from '../../../app/domain/payments/types'
import { generate } from '../engine/actions'
import {
  deleteOwner,
  disable,
  enable,
  expire,
  makeTrial,
  quotaAgrees,
  restoreOwner,
  unitsOf,
} from './account-acts'
import { DONE, type Act, type Refusal, type Thing } from './thing'
import type { World } from './world'

/** The account of a customer, who is signed in. */
export type Account = { person: UserCtx; session: string }

const TRAITS = ['of a trial', 'with a claim', 'with a sale', 'renewed unpaid', 'refunded'] as const
type Trait = (typeof TRAITS)[number]

const HOUR_MS = 3_600_000

let numbers = 0

async function open(world: World, person: UserCtx, traits: ReadonlySet<Trait>): Promise<Account> {
  const { db } = world.engine.deps
  const { rows } = await world.engine.pool.query<{ version: number }>(
    'select access_version as version from users where id = $1',
    [person.actor.id],
  )
  const account = { id: person.actor.id, accessVersion: rows[0]!.version }
  const browser = { userAgent: null, deviceId: null, presented: null }
  const { token: session } = await db.transaction((tx) => startSession(tx, { account, ...browser }))
  const subject = { person, session }
  if (traits.has('of a trial')) await makeTrial(world, person, `10.2.0.${++numbers}`)
  if (traits.has('with a claim')) await acts.claim(world, subject)
  if (traits.has('with a sale') || traits.has('refunded')) await acts['renew, paid'](world, subject)
  if (traits.has('renewed unpaid')) await acts.renew(world, subject)
  if (traits.has('refunded')) await acts.refund(world, subject)
  return subject
}

/** A sale at the price of the plan, under a reference of its own. */
const paid = (): PaidTerms => ({
  amount: null,
  currency: 'PKR',
  method: 'bank',
  reference: `Sale ${++numbers}`,
  isRepeatSeen: false,
})

type Facts = Record<string, unknown>

/** A change in bulk of this account alone. What its preview says is what is stored afterwards. */
const change =
  (action: BulkAction, isPaid = false): Act<Account> =>
  async (world, { person }) => {
    const { admin } = world
    const target = {
      scope: 'chosen' as const,
      picked: [person.actor.id],
      filters: userFilterQuery.parse({}),
    }
    const order = { action, target, paid: isPaid ? paid() : null }
    const { lines, count } = await previewBulkChange(admin, order)
    const seller = { ticks: action.kind === 'change-plan' ? ALL_SEEN : NO_TICKS }
    const approval = { expected: count, key: undefined, seller }
    const { changeId } = await applyBulkChange(admin, order, approval)
    const { gifted, expiryDate, ...after } = lines[0]?.after ?? {}
    const { account } = await stored(world, { person })
    expect(account).toMatchObject(after)
    // An end that counts from now is a little later than in the preview.
    if (expiryDate) {
      const laterMs = Date.parse(account.expiryDate ?? '') - Date.parse(expiryDate)
      expect([laterMs >= 0, laterMs < HOUR_MS]).toEqual([true, true])
    }
    if (gifted !== undefined) expect((await unitsOf(world, person)).gifted).toBe(gifted)
    const view = await getBulkChange(admin, changeId)
    expect(view).toMatchObject({ count: 1, undoneAt: null, payments: isPaid ? 1 : 0 })
  }

/** Acts on the account's newest payment in one of these states, otherwise on its newest one. */
const onPayment =
  (
    states: readonly PaymentState[],
    act: (world: World, id: string, account: Account) => Promise<unknown>,
  ): Act<Account> =>
  async (world, account) => {
    const { payments } = await stored(world, account)
    const found = payments.find(({ state }) => states.includes(state)) ?? payments[0]
    await act(world, found?.id ?? 'none', account)
  }

/** What was foreseen before a claim is confirmed is what is stored afterwards. */
const confirming = (
  confirm: (world: World, id: string) => Promise<{ outcome: Facts }>,
): Act<Account> =>
  onPayment(['claimed', 'rejected'], async (world, id, account) => {
    const { admin, engine } = world
    const claim = await findPayment(engine.deps.db, id)
    const ways = claim ? await foreseeClaim(admin, claim, await accountOf(admin, claim)) : []
    const { outcome } = await confirm(world, id)
    expect(outcome).toEqual(ways.find(({ how }) => how === 'renew')?.outcome)
    const { plan, expiryDate, role } = outcome
    expect((await stored(world, account)).account).toMatchObject({ plan, expiryDate, role })
    expect(await findPayment(engine.deps.db, id)).toMatchObject({ state: 'confirmed' })
  })

const acts = {
  renew: change({ kind: 'renew', from: 'later' }),
  'renew, paid': change({ kind: 'renew', from: 'later' }, true),
  'change the plan': change({ kind: 'change-plan', plan: 'Business' }),
  'give units': change({ kind: 'gift-quota', units: 2 }),
  'disable in bulk': change({ kind: 'disable' }),
  sell: async ({ admin }, { person }) => {
    const edit = { id: person.actor.id, plan: 'Professional', expireDays: 45 } as const
    const ticks = { ...NO_TICKS, seenPlan: true, seenDays: true }
    await editPaidUser(admin, { ...edit, seller: { ticks } }, paid())
  },
  'pay later': async ({ admin, engine }, { person }) => {
    const [unpaid] = await listUnpaid(admin.db, { userId: person.actor.id, kind: 'renewed' })
    await recordLatePayment(admin, unpaid?.id ?? 'none', {
      paid: paid(),
      seller: { ticks: ALL_SEEN },
    })
    expect(await findUnpaid(engine.deps.db, unpaid?.id ?? null)).toBeNull()
  },
  claim: async (world, { person }) => {
    const actor = { kind: 'visitor', address: '10.0.0.1', device: null } as const
    const input = {
      plan: 'Starter',
      method: 'bank',
      amount: '200',
      currency: 'PKR',
      reference: `Claim ${++numbers}`,
      note: null,
    } as const
    await claimPayment({ ...person, actor }, input, {
      claimant: { account: person.actor },
      readScreenshot: () => Promise.resolve(null),
    })
  },
  confirm: confirming(({ admin }, id) =>
    confirmClaim(admin, { id, how: 'renew', isRepeatSeen: false }),
  ),
  reject: onPayment(['claimed'], ({ admin }, id) =>
    rejectClaim(admin, { id, reason: 'No such transfer' }),
  ),
  refund: onPayment(['confirmed'], ({ admin }, id) =>
    refundPayment(admin, { id, amount: '1', reason: 'Asked for it' }),
  ),
  undo: async (world, { person }) => {
    const { rows } = await world.engine.pool.query<{ id: string }>(
      `select change_id as id from bulk_change_users join bulk_changes on bulk_changes.id = change_id
       where user_id = $1 order by undone_at is null desc, created_at desc, change_id desc limit 1`,
      [person.actor.id],
    )
    const id = rows[0]?.id ?? 'none'
    const { payments } = await getBulkChange(world.admin, id)
    const before = await stored(world, { person })
    const undone = await undoBulkChange(world.admin, id, { ticks: ALL_SEEN })
    expect([undone.restored.length, undone.left]).toEqual([1, 0])
    const rejected = (all: typeof before) =>
      all.payments.filter(({ state }) => state === 'rejected').length
    expect(rejected(await stored(world, { person })) - rejected(before)).toBe(payments)
    const view = await getBulkChange(world.admin, id)
    expect(view).toMatchObject({ payments: 0, lines: [{ isSkipped: false, tell: null }] })
    expect(view.undoneAt).not.toBeNull()
  },
  import: async (world, { person }) => {
    const raw = {
      username: person.actor.username,
      password: '[HASHED]',
      plan: 'Enterprise',
      videoLimit: '7',
    }
    const { results } = await importUsers(world.admin, [toEntry(raw)], {
      changesRoles: false,
      ticks: ALL_SEEN,
    })
    const [result] = results
    if (result?.success === false) throw new AppError('CONFLICT', result.error ?? '')
    const { account } = await stored(world, { person })
    // A deleted account is not changed: the line makes another one of the number.
    expect(result?.change === 'create').toBe(!account.isThere)
    if (!account.isThere) expect(result?.seen?.join()).toContain('A deleted user has this number')
    if (account.isThere) expect(account).toMatchObject({ plan: 'Enterprise', videoLimit: 7 })
  },
  'renew as helper': async (world, { person }) => {
    const sale = { id: person.actor.id, key: undefined, paid: paid(), ticks: NO_TICKS }
    const { user } = await helperRenew(world.helper, sale)
    expect((await stored(world, { person })).account).toMatchObject({
      expiryDate: user.expiryDate,
    })
  },
  'confirm as helper': confirming(({ helper }, id) =>
    helperConfirm(helper, { id, how: 'renew' }, NO_TICKS),
  ),
  promote: ({ admin }, { person }) => editUser(admin, { id: person.actor.id, role: 'editor' }),
  demote: ({ admin }, { person }) => editUser(admin, { id: person.actor.id, role: 'user' }),
  order: async (world, { person }) => {
    const { used } = await unitsOf(world, person)
    await generate(person)
    expect((await unitsOf(world, person)).used).toBe(used + 1)
  },
  disable,
  enable,
  expire,
  'delete the account': deleteOwner,
  'restore the account': restoreOwner,
} satisfies Record<string, Act<Account>>

const NO_PAYMENT = 'There is no such payment'
const NO_USER = 'This user does not exist'
const NOBODY = 'This would not change any user'
const decided = (state: PaymentState) =>
  `This payment is ${state}. Somebody else may have decided it.`
const ticked = (surprise: string) => `${surprise} Tick it if that is right.`
const IS_DISABLED = ticked('The account is disabled: its user cannot sign in.')
const SALES = ['renew', 'renew, paid', 'sell'] as const
const IN_BULK = [
  'renew',
  'renew, paid',
  'change the plan',
  'give units',
  'disable in bulk',
] as const
const DISABLINGS = ['disable', 'disable in bulk'] as const
const PAID = ['with a sale', 'renew, paid', 'sell', 'renew as helper'] as const
const CLAIMED = ['with a claim', 'claim'] as const
const CHANGED = [
  ...PAID,
  'renewed unpaid',
  'refunded',
  'renew',
  'change the plan',
  'give units',
  'disable in bulk',
  'import',
] as const

const refusals: readonly Refusal<keyof typeof acts | Trait>[] = [
  // A sale to an account that cannot be used, or that is no customer's, is said before.
  { after: DISABLINGS, then: [...SALES, 'renew as helper'], says: IS_DISABLED },
  { after: ['promote'], then: SALES, says: ticked('This is the account of an editor.') },
  { after: ['promote', 'delete the account'], then: ['renew as helper'], says: NO_USER },
  { after: DISABLINGS, then: ['disable in bulk'], says: NOBODY },
  { after: ['delete the account'], then: IN_BULK, says: NOBODY },
  {
    after: ['delete the account'],
    then: ['sell', 'promote', 'demote', 'disable', 'enable', 'expire', 'delete the account'],
    says: NO_USER,
  },
  {
    after: DISABLINGS,
    then: ['order'],
    says: 'This account is disabled. Contact us to open it again.',
  },
  { after: ['delete the account'], then: ['order'], says: 'Please sign in' },
  { after: ['delete the account'], then: ['restore the account'], says: DONE },
  {
    after: 'any',
    then: ['restore the account'],
    says: 'This user is not in the trash any more',
  },
  {
    after: CLAIMED,
    then: ['claim'],
    says: 'A payment of this number is already waiting to be checked.',
  },
  // Each payment is decided once.
  { after: CLAIMED, then: ['confirm', 'reject', 'confirm as helper'], says: DONE },
  { after: CLAIMED, then: ['refund'], says: decided('claimed') },
  { after: PAID, then: ['refund'], says: DONE },
  { after: PAID, then: ['confirm', 'reject'], says: decided('confirmed') },
  { after: ['refunded'], then: ['confirm', 'reject', 'refund'], says: decided('refunded') },
  { after: 'any', then: ['confirm', 'reject', 'refund', 'confirm as helper'], says: NO_PAYMENT },
  { after: ['renewed unpaid', 'renew'], then: ['pay later'], says: DONE },
  {
    after: 'any',
    then: ['pay later'],
    says: 'This was undone, or somebody has recorded its payment already.',
  },
  { after: CHANGED, then: ['undo'], says: DONE },
  { after: 'any', then: ['undo'], says: 'There is no such change' },
]

type Row = {
  role: string
  plan: 'Starter' | 'Professional' | 'Business' | 'Enterprise' | null
  videoLimit: number
  speedLimit: number
  videoGenerationSpeed: number
  isActive: boolean
  expiryDate: string | null
  isThere: boolean
}
type Paid = { id: string; state: PaymentState; refunded: number; changeId: string | null }

async function stored(world: World, { person }: Pick<Account, 'person'>) {
  const { pool } = world.engine
  const users = await pool.query<Row & { expiryDate: Date | null }>(
    `select role::text, plan::text, video_limit as "videoLimit", speed_limit as "speedLimit",
       video_generation_speed as "videoGenerationSpeed", is_active as "isActive",
       expiry_date as "expiryDate", deleted_at is null as "isThere" from users where id = $1`,
    [person.actor.id],
  )
  const payments = await pool.query<Paid>(
    `select id, state::text, refunded::int, change_id as "changeId" from payments
     where username = $1 order by received_at desc, id desc`,
    [person.actor.username],
  )
  const changes = await pool.query<{ id: string; kind: string; isUndone: boolean }>(
    `select bulk_changes.id, kind, undone_at is not null and not is_skipped as "isUndone" from bulk_changes
       join bulk_change_users on change_id = bulk_changes.id where user_id = $1
     order by created_at desc, bulk_changes.id desc`,
    [person.actor.id],
  )
  const row = users.rows[0]!
  return {
    account: { ...row, expiryDate: row.expiryDate?.toISOString() ?? null },
    payments: payments.rows,
    changes: changes.rows,
    units: await unitsOf(world, person),
  }
}

async function agrees(world: World, subject: Account): Promise<void> {
  const { person, session } = subject
  const { admin, engine } = world
  const { account, payments, changes } = await stored(world, subject)
  const { isThere, ...shown } = account
  const view = await findManagedUser(admin, engine.deps.db, person.actor.id)
  expect(view !== null).toBe(isThere)
  if (isThere) {
    expect(view).toMatchObject(shown)
    await quotaAgrees(world, person)
  }

  // The book has each payment as it is stored; what counts was paid for a change that is in force.
  const book = await readPayments(
    admin,
    paymentsQuery.parse({ customer: person.actor.username }),
    50,
  )
  expect(
    book.map(({ id, state, refunded, changeId }) => ({ id, state, refunded, changeId })),
  ).toEqual(payments)
  for (const { state, changeId } of payments) {
    const paidFor = changes.find(({ id }) => id === changeId)
    if (state === 'confirmed') expect(paidFor).toMatchObject({ isUndone: false })
    if (state === 'claimed') expect(changeId).toBeNull()
  }
  const counted = payments.filter(({ state }) => state === 'confirmed')
  const last = await lastPaymentsOf(engine.deps.db, [person.actor.id])
  expect(last.has(person.actor.id)).toBe(counted.length > 0)

  // A renewal in force without a payment is listed, and one of them can be recorded.
  const unpaid = changes.filter(
    ({ id, kind, isUndone }) =>
      isThere &&
      (kind === 'renew' || kind === 'add-days') &&
      !isUndone &&
      payments.every(({ changeId }) => changeId !== id),
  )
  const listed = await listUnpaid(admin.db, { userId: person.actor.id, kind: 'renewed' })
  expect(listed.flatMap(({ changeId, paid: kept }) => (kept ? [] : [changeId]))).toEqual(
    unpaid.map(({ id }) => id),
  )

  // Whom a change can tell something is said only of an account with which its user can go on.
  const [newest] = changes
  if (newest && isThere) {
    const [line] = (await getBulkChange(admin, newest.id)).lines
    const ends = account.expiryDate === null ? null : new Date(account.expiryDate)
    const now = new Date(await engine.clock.now())
    expect(line?.state).toBe(standing({ ...account, expiryDate: ends }, now))
    if (line?.tell) expect(line.state).toBe('ok')
  }

  // The customer reads of their own claims what was decided.
  const claims = await listOwnClaims(engine.deps.db, { userId: person.actor.id, id: null })
  const states = new Map(payments.map(({ id, state }) => [id, state]))
  for (const { id, state } of claims) expect(state).toBe(states.get(id))

  const helpers = (await listHelpers(admin)).map(({ id }) => id)
  expect(helpers.includes(person.actor.id)).toBe(isThere && account.role === 'editor')

  // A session that is open is that of an account which may sign in, and has the role of now.
  const signedIn = await findSignedIn(engine.deps.db, session)
  if (signedIn) {
    expect(account).toMatchObject({ isThere: true, isActive: true })
    expect(signedIn.account.role).toBe(account.role)
  }
}

export const accounts: Thing<Account, keyof typeof acts, Trait> = {
  open,
  traits: TRAITS,
  acts,
  stored,
  agrees,
  refusals,
}
