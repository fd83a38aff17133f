import { expect, test } from 'vitest'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import { blockCodes, openCodes } from '../../../app/domain/administration/codes/list-codes.server'
import { newCode } from '../../../app/domain/administration/codes/code-text'
import { makeCodes } from '../../../app/domain/administration/codes/make-codes.server'
import { makeCodesInput } from '../../../app/domain/administration/codes/code-schemas'
import {
  redeemCode,
  registerWithCode,
} from '../../../app/domain/administration/codes/redeem-code.server'
import { changeCodeIncome } from '../../../app/domain/administration/change-business.server'
import { ALL_SEEN } from '../../../app/domain/administration/ticks'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { restoreUser } from '../../../app/domain/administration/users/user-trash.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import {
  RIGHTS,
  type AdminCtx,
  type HelperCtx,
  type UserCtx,
  type VisitorCtx,
} from '../../../app/domain/context'
import { isAppError } from '../../../app/domain/errors'
import { monthTotals } from '../../../app/domain/payments/list.server'
import { refundPayment } from '../../../app/domain/payments/decide.server'
import { PLAN_NAMES } from '../../../app/domain/plans/types'
import { attempt } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'
import { openRng, SEED, trials, type Rng } from '../../support/engine/trials'
import { findViolations } from '../../support/invariants'

const engine = useEngine()

const asSeller = (admin: AdminCtx): HelperCtx => ({
  ...admin,
  actor: { ...admin.actor, rights: RIGHTS },
})

let addresses = 0
const address = () => `10.${(addresses >> 8) % 256}.${addresses++ % 256}.1`
const visitor = (): VisitorCtx => ({
  ...engine.deps,
  requestId: 'test',
  actor: { kind: 'visitor', address: address(), device: null },
})

/** A customer with nine days left of a plan. */
async function customer(plan: (typeof PLAN_NAMES)[number] = 'Business'): Promise<UserCtx> {
  const user = await engine.user({ plan })
  await engine.pool.query(
    `update users set expiry_date = engine_now() + interval '9 days' where id = $1`,
    [user.actor.id],
  )
  return user
}

/** Redeems as a customer who agrees with what is said of the days left. */
async function redeem(user: UserCtx, typed: string, ctx = engine.deps): Promise<unknown> {
  const holder = user.actor
  const redeeming = { holder, address: address(), typed }
  const asked = { ...ctx, requestId: 'test', actor: holder }
  try {
    return await redeemCode(asked, { ...redeeming, seen: null })
  } catch (error) {
    const [seen] = isAppError(error) ? (error.fields?.seen ?? []) : []
    if (seen === undefined) throw error
    return redeemCode(asked, { ...redeeming, seen })
  }
}

const make = (admin: AdminCtx, fields: Record<string, unknown>) =>
  makeCodes(
    asSeller(admin),
    makeCodesInput.parse({ plan: 'Business', days: 30, count: 1, seenPrice: true, ...fields }),
  )

const pick = <T>(rng: Rng, all: readonly T[]): T | undefined => all[rng.below(all.length || 1)]

type World = {
  rng: Rng
  admins: AdminCtx[]
  customers: UserCtx[]
  /** The texts of the codes, and the lots that they belong to. */
  codes: string[]
  lots: string[]
  fresh: string
}

const column = async (statement: string, values: unknown[]): Promise<string[]> =>
  (await engine.pool.query<{ id: string }>(statement, values)).rows.map(({ id }) => id)

/** What an administrator or a customer does next. */
async function act(world: World, admin: AdminCtx): Promise<unknown> {
  const { rng, customers, codes, lots, fresh } = world
  const ids = customers.map(({ actor }) => actor.id)
  const id = pick(rng, ids) ?? ''
  const code = pick(rng, codes) ?? 'none'
  const user = pick(rng, customers)!
  switch (rng.below(16)) {
    case 0:
    case 1: {
      const plan = pick(rng, PLAN_NAMES)
      const amount = rng.below(2) === 0 ? undefined : String(1 + rng.below(5_000))
      const made = await make(admin, {
        plan,
        amount,
        days: 1 + rng.below(90),
        count: 1 + rng.below(3),
      })
      codes.push(...made.codes)
      return lots.push(made.lotId)
    }
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return redeem(user, code)
    case 7:
      return registerWithCode(visitor(), { phone: fresh, password: 'secret-1', typed: code })
    case 8: {
      const lot = pick(rng, lots)
      const chosen = lot === undefined ? {} : { lot }
      return rng.below(2) === 0
        ? blockCodes(asSeller(admin), chosen)
        : openCodes(asSeller(admin), chosen)
    }
    case 9:
    case 10: {
      const of = `select distinct change_id as id from bulk_change_users where user_id = any($1)`
      const change = pick(rng, await column(of, [ids]))
      return undoBulkChange(admin, change ?? 'none', { ticks: ALL_SEEN })
    }
    case 11: {
      const payment = pick(
        rng,
        await column('select id from payments where user_id = any($1)', [ids]),
      )
      return refundPayment(admin, { id: payment ?? 'none', amount: '0.01', reason: 'Asked for it' })
    }
    case 12: {
      const filters = userFilterQuery.parse({})
      return applyBulkChange(
        admin,
        {
          action: { kind: 'renew', from: 'later' },
          target: { scope: 'chosen', picked: ids, filters },
          paid: null,
        },
        { expected: ids.length, key: undefined, seller: { ticks: ALL_SEEN } },
      )
    }
    case 13:
      return rng.below(2) === 0
        ? editUser(admin, { id, isActive: rng.below(2) === 0 })
        : editUser(admin, { id, plan: pick(rng, PLAN_NAMES)! })
    case 14:
      return rng.below(2) === 0 ? deleteUser(admin, id) : restoreUser(admin, id)
    default:
      return changeCodeIncome(admin, rng.below(2) === 0 ? 'sold' : 'used')
  }
}

/** What the codes of these lots are worth: each once, wherever it counts. */
async function incomeOf(lots: readonly string[]): Promise<{ codes: number; used: number }> {
  const { rows } = await engine.pool.query<{ codes: number; used: number }>(
    `select coalesce(sum(codes.amount) filter (where (codes.state = 'open' and counts_sold)
         or payments.state in ('confirmed', 'refunded')), 0)::float as codes,
       count(*) filter (where codes.state = 'used')::int as used
     from prepaid_codes as codes left join payments on payments.change_id = codes.change_id
     where lot_id = any($1)`,
    [lots],
  )
  return rows[0]!
}

test(`I28: after random histories of make, redeem, block, undo, refund and renew by three actors at once, each code was used at most once, and ends and book agree (seed ${SEED})`, async () => {
  const rng = openRng(53)
  const admins = [await engine.admin(), await engine.admin(), await engine.admin()]
  let used = 0
  let all = 0
  for (let trial = 0; trial < trials(100, 1000); trial++) {
    const customers = [await customer('Starter'), await customer()]
    const fresh = `0345${String(10_000_000 + trial)}`
    const first = await make(admins[0]!, { plan: 'Professional', count: 2 })
    const world = { rng, admins, customers, codes: [...first.codes], lots: [first.lotId], fresh }
    for (let step = 0; step < 9; step++) {
      await Promise.all(admins.map((admin) => attempt(() => act(world, admin))))
      if (rng.below(6) === 0) await engine.clock.move(rng.below(3) * 86_400_000)
    }
    expect(await findViolations(engine.pool)).toEqual({})
    // Nobody got more than one code's days of a code.
    const { rows: twice } = await engine.pool.query(
      `select payments.change_id from payments where method = 'code'
       group by change_id having count(*) > 1`,
    )
    expect(twice).toEqual([])
    const income = await incomeOf(world.lots)
    used += income.used
    all += world.codes.length
  }
  // The histories do something.
  expect(used).toBeGreaterThan(0)
  expect(all).toBeGreaterThan(used)
})

test(`U-CODE-1: of several customers who redeem one code at the same moment, and one who registers with it, one gets it (seed ${SEED})`, async () => {
  const rng = openRng(54)
  const admin = await engine.admin()
  for (let trial = 0; trial < trials(30, 300); trial++) {
    const [a, b] = [await customer(), await customer()]
    const { codes, lotId } = await make(admin, {})
    const code = codes[0]!
    const phone = `0346${String(10_000_000 + trial)}`
    const blocks = rng.below(3) === 0
    const done = await Promise.allSettled([
      redeem(a, code),
      redeem(a, code),
      redeem(b, code),
      registerWithCode(visitor(), { phone, password: 'secret-1', typed: code }),
      ...(blocks ? [blockCodes(asSeller(admin), { lot: lotId })] : []),
    ])
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await findViolations(engine.pool)).toEqual({})
    // A registration that lost the race has left no account.
    const { rows } = await engine.pool.query(
      `select 1 from users where username = any($1) and not exists (
         select 1 from payments where user_id = users.id)`,
      [[phone, `92${phone.slice(1)}`]],
    )
    expect(rows).toEqual([])
  }
})

test('A-CODE-3: a code is income of one day, and never of both, whatever the setting becomes in between', async () => {
  const admin = await engine.admin()
  const { rows: months } = await engine.pool.query<{ month: string }>(
    `select to_char(engine_now(), 'YYYY-MM') as month`,
  )
  const sums = async () => {
    const totals = await monthTotals(admin, months[0]!.month)
    return (
      totals.find(({ plan, method, currency }) => !plan && method === 'code' && currency === 'EUR')
        ?.received ?? 0
    )
  }
  const terms = { amount: '10', currency: 'EUR' }
  await changeCodeIncome(admin, 'used')
  const late = await make(admin, terms)
  expect(await sums()).toBe(0)
  await changeCodeIncome(admin, 'sold')
  const early = await make(admin, terms)
  expect(await sums()).toBe(1_000)
  const user = await customer()
  await redeem(user, early.codes[0]!)
  expect(await sums()).toBe(1_000)
  await redeem(user, late.codes[0]!)
  expect(await sums()).toBe(2_000)
  const third = await make(admin, terms)
  expect(await sums()).toBe(3_000)
  await blockCodes(asSeller(admin), { lot: third.lotId })
  expect(await sums()).toBe(2_000)
  await openCodes(asSeller(admin), { lot: third.lotId })
  expect(await sums()).toBe(3_000)
  await changeCodeIncome(admin, 'used')
})

const GUESSES = trials(10_000, 10_000)

test(`U-CODE-3: of ${GUESSES} guesses from 50 addresses none is let in, and a customer redeems meanwhile (seed ${SEED})`, async () => {
  const admin = await engine.admin()
  const { codes } = await make(admin, { count: 2 })
  const rng = openRng(55)
  const user = await customer()
  const used = async () => {
    const { rows } = await engine.pool.query<{ n: number }>(
      `select count(*)::int as n from prepaid_codes where state = 'used'`,
    )
    return rows[0]!.n
  }
  const before = await used()
  const refusals = new Map<string, number>()
  for (let at = 0; at < GUESSES; at += 50) {
    if (at === 50) await redeem(user, codes[1]!)
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const typed = newCode((below) => rng.below(below))
        const asked = { ...engine.deps, requestId: 'test', actor: user.actor }
        const holder = {
          id: `${String(at + i).padStart(8, '0')}-0000-4000-8000-000000000000`,
          username: 'x',
        }
        await redeemCode(asked, { holder, address: `100.64.${i}.7`, typed, seen: null }).catch(
          (error: unknown) => {
            const code = isAppError(error) ? error.code : String(error)
            refusals.set(code, (refusals.get(code) ?? 0) + 1)
          },
        )
      }),
    )
  }
  expect([...refusals.values()].reduce((a, b) => a + b, 0)).toBe(Math.ceil(GUESSES / 50) * 50)
  expect(
    [...refusals.keys()].sort().filter((code) => code !== 'NOT_FOUND' && code !== 'RATE_LIMITED'),
  ).toEqual([])
  expect(await used()).toBe(before + 1)
  await redeem(user, codes[0]!)
})
