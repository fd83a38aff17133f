import { setTimeout as sleep } from 'node:timers/promises'
import { openRng } from '../support/engine/trials'
import { Client } from '../support/client'
import type { PlanName } from '../../app/domain/plans/types'
import { FIRST_PROVIDER } from '../../app/domain/route'
import { beginDay, orderBulk, orderSingle, signUp, type Customer } from './customers'
import { giveKeys, type Keys } from './keys'
import type { Options } from './options'
import { SECOND, type Product } from './product'

/** The users of a run and their orders. */
export type Users = {
  customers: readonly Customer[]
  /** An administrator, for calls that require one. */
  admin: Client
  keys: Keys
  /** Resolves when no customer orders any more. */
  done: Promise<unknown>
}

/** Prompts of one bulk run, by plan. */
const BULKS: readonly { plan: PlanName; prompts: number }[] = [
  { plan: 'Starter', prompts: 2 },
  { plan: 'Professional', prompts: 6 },
  { plan: 'Business', prompts: 15 },
  { plan: 'Enterprise', prompts: 30 },
]
/** The longest that one of these bulk runs takes without trouble. */
const BULK_MS = 100_000

const SINGLES: readonly { name: string; plan: PlanName; videoLimit?: number }[] = [
  { name: 'single-business', plan: 'Business' },
  { name: 'single-enterprise', plan: 'Enterprise' },
  // Orders more than the quota allows.
  { name: 'single-greedy', plan: 'Business', videoLimit: 8 },
]

/** Seconds between the orders of a customer who orders singles. */
const SINGLE_EVERY_S = { short: [4, 10], long: [10, 30] } as const

/** A customer whose batches go on for days, of so many units. */
const OVER_DAYS = { plan: 'Enterprise', prompts: 25, aDay: 10 } as const
/** A batch starts on the day on which the one before it ended. */
const DAY_MS = 20_000

/** With two providers, each stands in for the other. */
const ROUTES = [`${FIRST_PROVIDER} ${SECOND}`, `${SECOND} ${FIRST_PROVIDER}`] as const

/** Customers with a key of their own, who order singles, less often. */
const KEYED = 10
const KEYED_EVERY_S = { short: [15, 30], long: [60, 120] } as const

/** Signs up the customers and lets them order until the time is over or `giveUp` is aborted. */
export async function startUsers(
  product: Product,
  { seed, isShort, minutes }: Options,
  { giveUp }: { giveUp: AbortSignal },
): Promise<Users> {
  const until = Date.now() + minutes * 60_000
  const simulation = { urls: product.urls, db: product.db, giveUp }
  let turn = 0
  const signUpNext = (customer: Parameters<typeof signUp>[1]) =>
    signUp(simulation, { ...customer, ...(product.second && { route: ROUTES[turn++ % 2]! }) })
  const bulkers: Customer[] = []
  for (const { plan } of BULKS) bulkers.push(await signUpNext({ name: `bulk-${plan}`, plan }))
  const singles: Customer[] = []
  for (const single of SINGLES) singles.push(await signUpNext(single))
  const { plan, aDay } = OVER_DAYS
  const patient = await signUpNext({ name: 'over-days', plan, videoLimit: aDay })
  const keyed: Customer[] = []
  for (let i = 1; i <= KEYED; i++)
    keyed.push(await signUpNext({ name: `keyed-${i}`, plan: 'Business' }))
  const admin = await signInAdmin(product)
  const keys = await giveKeys(admin, keyed, product.second && SECOND)
  const isTime = () => Date.now() < until && !giveUp.aborted

  const bulk = async (customer: Customer, i: number) => {
    const rng = openRng(100 + i, seed)
    // Does not start a run whose rounds could not all go out while there is trouble.
    while (Date.now() + BULK_MS < until || customer.accepted.length === 0) {
      if (!isTime()) return
      const batch = await orderBulk(customer, rng, BULKS[i]!.prompts)
      if (batch === undefined && isSpent(customer)) return
      await sleep(batch === undefined ? 5_000 : 1_000)
    }
  }
  const overDays = async () => {
    const rng = openRng(400, seed)
    while (Date.now() + BULK_MS < until || patient.accepted.length === 0) {
      if (!isTime()) return
      await orderBulk(patient, rng, OVER_DAYS.prompts, { carryOver: true })
      // Two more wait in line.
      for (let left = 2; left > 0; left--)
        await orderBulk(patient, rng, aDay / 2, { carryOver: true, queue: true })
      // Its last day comes even if the time is over.
      do await sleep(DAY_MS)
      while (!giveUp.aborted && (await beginDay(product.db, patient, aDay)))
    }
  }
  const single =
    (everyS: typeof SINGLE_EVERY_S | typeof KEYED_EVERY_S, salt: number) =>
    async (customer: Customer, i: number) => {
      const rng = openRng(salt + i, seed)
      const [least, most] = isShort ? everyS.short : everyS.long
      while (isTime()) {
        await orderSingle(customer, rng)
        await sleep(1000 * (least + rng.next() * (most - least)))
      }
    }
  return {
    customers: [...bulkers, ...singles, patient, ...keyed],
    admin,
    keys,
    done: Promise.all([
      ...bulkers.map(bulk),
      overDays(),
      ...singles.map(single(SINGLE_EVERY_S, 200)),
      ...keyed.map(single(KEYED_EVERY_S, 300)),
    ]),
  }
}

const isSpent = ({ refused }: Customer): boolean =>
  [...refused.keys()].some((why) => why.includes('QUOTA'))

/** The administrator's username and password. */
export const ADMIN = { username: '03009999999', password: 'secret-1' }

async function signInAdmin({ urls, db }: Product): Promise<Client> {
  const admin = new Client(urls[0]!)
  const { body } = await admin.post<{ user: { id: string } }>('/api/auth/register', {
    phone: ADMIN.username,
    password: ADMIN.password,
  })
  await db.query(`update users set role = 'admin' where id = $1`, [body.user.id])
  return admin
}
