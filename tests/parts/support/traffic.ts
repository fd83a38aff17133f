import { expect } from 'vitest'
import { orderBulk, orderSingle, signUp, type Customer } from '../../soak/customers'
import type { Options } from '../../soak/options'
import type { Product } from '../../soak/product'
import { brokenIn } from '../../soak/table'
import { reachVerdict } from '../../soak/verdict'
import { startWatch } from '../../soak/watch'
import { openRng, type Rng } from '../../support/engine/trials'
import { until } from '../../support/wait'
import type { Front } from './front'

/**
 * About fifty requests per second, fewer while as many are waiting for a response as users would.
 */
const EVERY_MS = 20
const MOST_WAITING = 50
/** Number of requests after the work is done. */
const AFTERWARDS = 250
/**
 * The most requests, as a share, that may be rejected after a time limit. A busy machine causes a few;
 * tables that a migration locks cause more.
 */
const MOST_LATE = 0.02
/** The longest that the videos under way at the end may take. */
const SETTLE_MS = 180_000

/** The settings of such a run: a provider that can look up orders, and a web server that drains. */
export const optionsWith = (env: Record<string, string>): Options => ({
  minutes: 2,
  seed: 1,
  troubles: [],
  isShort: true,
  setting: {
    name: 'openai, json',
    flavour: 'openai',
    family: 'openai',
    env: { OPENAI_VIDEOS_BODY: 'json', DRAIN_SECONDS: '5', ...env },
    findsOrders: true,
    negativePrompt: 'in-prompt',
    storage: 'disk',
  },
})

type People = { batches: readonly Customer[]; single: Customer; reader: Customer }

type Scene = { product: Product; options: Options; front: Front; origin: string }

/**
 * Does some work while customers order, poll and download through a front. Afterwards every request
 * must have succeeded, and according to the simulator's ledger every video was ordered once, in
 * time, and delivered.
 */
export async function underLoad(scene: Scene, work: () => Promise<void>): Promise<void> {
  const { product, options, front } = scene
  const rng = openRng(1, options.seed)
  const people = await letIn(scene)
  const customers = [...people.batches, people.single, people.reader]
  const watch = startWatch({ product, customers, isOutage: () => false, say: () => undefined })
  const batches = [
    await orderBulk(people.batches[0]!, rng, 30),
    await orderBulk(people.batches[1]!, rng, 10),
  ]
  expect(batches).not.toContain(undefined)
  const traffic = startTraffic(people, rng)
  try {
    await work()
    const enough = front.asked() + AFTERWARDS
    await until('requests after the restarts', () => front.asked() > enough)
  } finally {
    await traffic.stop()
  }
  await until('every video', () => isSettled(product), SETTLE_MS)
  await watch.stop()
  const verdict = await reachVerdict({ product, options, customers, watch })
  process.stdout.write(
    `${front.asked()} requests, ${front.failures.length} failed, ${front.late()} given up by a busy machine; ${verdict.accepted} videos, ` +
      `${verdict.delivered} delivered, ${verdict.ordered} ordered, ${verdict.earlyRounds.length} early\n`,
  )
  expect(front.failures).toEqual([])
  expect(front.late() / front.asked()).toBeLessThanOrEqual(MOST_LATE)
  expect(brokenIn(verdict)).toEqual([])
  expect(verdict.accepted).toBeGreaterThan(40)
}

async function letIn({ product, front, origin }: Scene): Promise<People> {
  const simulation = {
    urls: [origin],
    db: product.db,
    send: front.send,
    giveUp: new AbortController().signal,
  }
  const enterprise = (name: string) => signUp(simulation, { name, plan: 'Enterprise' })
  const business = (name: string) => signUp(simulation, { name, plan: 'Business' })
  return {
    batches: [await enterprise('batch-30'), await business('batch-10')],
    single: await enterprise('single'),
    reader: await business('reader'),
  }
}

function startTraffic(people: People, rng: Rng): { stop: () => Promise<void> } {
  const underWay = new Set<Promise<unknown>>()
  let turn = 0
  const timer = setInterval(() => {
    if (underWay.size >= MOST_WAITING) return
    // The front records failures.
    const asking: Promise<unknown> = ask(people, turn++, rng)
      .catch(() => undefined)
      .finally(() => underWay.delete(asking))
    underWay.add(asking)
  }, EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/**
 * Sends one request of a user: mostly the polls of an open page, sometimes pages, clips and orders.
 */
async function ask({ batches, single, reader }: People, turn: number, rng: Rng): Promise<unknown> {
  const looker = batches[turn % batches.length]!
  if (turn % 100 === 0) return orderSingle(single, rng)
  if (turn % 25 === 1) return looker.open('/')
  if (turn % 25 === 2) return openClip(looker)
  if (turn % 25 === 3) return looker.open('/app')
  // A write that is not retried by itself when its connection breaks.
  if (turn % 10 === 4) return reader.call('POST', '/api/videos/retry-all-failed', {})
  return looker.call('GET', turn % 2 === 0 ? '/api/videos?limit=20' : '/api/auth/me')
}

type Page = { videos: { id: string }[] }

async function openClip(customer: Customer): Promise<unknown> {
  const { body } = await customer.call<Page>('GET', '/api/videos?limit=20&status=completed')
  const [newest] = body.videos
  return newest && customer.open(`/media/${newest.id}.mp4`)
}

async function isSettled({ db }: Product): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from videos where status in ('pending', 'generating') limit 1`,
  )
  return rowCount === 0
}
