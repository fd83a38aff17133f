import { readRoute } from '../../app/domain/route'
import type { VideoView } from '../../app/domain/videos/types'
import type pg from 'pg'
import { galleryOf, usedBy, type Accepted, type Batch, type Customer } from './customers'
import type { Entry } from './simulator-control'
import type { Keys } from './keys'
import { paidForNothing } from './for-nothing'
import { OF_ONE_KEY } from './key-troubles'
import { protocolOf, type Options, type Setting } from './options'
import { hashOf } from '../simulator/orders'
import { checkFile, hasItsNegativePrompt, ordersByVideo } from './orders'
import { calmRequests, SECOND, STAND_IN_AFTER_MS, type Product } from './product'
import type { Played } from './schedule'
import { awayIn } from './stand-ins'
import type { Watch } from './watch'

/** The result of a run. Lists have one line per case. */
export type Verdict = {
  accepted: number
  delivered: number
  wrongFiles: string[]
  /** Orders without the negative prompt of their video, or with another one. */
  wrongNegativePrompts: string[]
  failed: Map<string, number>
  ordered: number
  orderedTwice: string[]
  orphansOnRecord: number
  /** Ordered twice without an orphan on record, or although orders can be looked up. */
  unexcusedTwice: string[]
  lost: string[]
  stuck: string[]
  charged: number
  chargedWrongly: string[]
  earlyRounds: string[]
  exits: string[]
  downloadsPerClip: number
  /** Requests per order: on average, and of an undisturbed one. */
  requestsPerOrder: { average: number; calm: number }
  tooManyRequests: string[]
  /** Customers who waited while another one's key was in trouble. */
  waitedForKeys: string[]
  /** Customers who waited for a provider that was away although its stand-in had its orders by then. */
  waitedForStandIn: string[]
  /** Videos that a stand-in made. */
  stoodIn: number
  /** Incidents in which more was paid for nothing than the breaker allows. */
  paidForNothing: string[]
}

/** How many times as many requests as an undisturbed order's the average may take. */
const MOST_TIMES = 3

type Case = { customer: Customer; accepted: Accepted; view: VideoView | undefined; orders: Entry[] }

export type Evidence = {
  product: Product
  options: Options
  customers: readonly Customer[]
  watch: Watch
  /** The keys of the customers, and what was played, if the run had any of its own. */
  keys?: Keys
  played?: readonly Played[]
}

/**
 * Judges by the simulator's ledger, the proxy in front of it and the bytes that customers receive.
 */
export async function reachVerdict({
  product,
  options,
  customers,
  watch,
  keys,
  played = [],
}: Evidence): Promise<Verdict> {
  const ledger = await product.control.ledger()
  await product.control.readJournal()
  const cases = await casesOf(customers, ledger)
  const delivered = cases.filter(({ view }) => view?.status === 'completed')
  const wrongFiles: string[] = []
  for (const one of delivered) wrongFiles.push(...(await fileProblem(one)))
  const orphans = await orphansByVideo(product.db)
  const twice = cases.filter((one) => paidOrders(one, ledger).length > 1)
  const { setting } = options
  // Nobody can look up an order with a key to which the provider says nothing any more.
  const gone = new Set([...(keys?.gone ?? [])].map(hashOf))
  const findsAll = ({ orders }: Case) =>
    orders.every(
      ({ family, tokenHash }) => protocolOf(setting, family).findsOrders && !gone.has(tokenHash),
    )
  const unexcused = twice.filter((one) => {
    const extra = paidOrders(one, ledger).length - 1
    return findsAll(one) || (orphans.get(one.view?.id ?? '') ?? 0) < extra
  })
  const charges = await chargesOf(customers, cases)
  const requestsPerOrder = {
    average: averageOf((await product.control.requests()).map(({ requests }) => requests)),
    calm: calmRequests(options),
  }
  const { average, calm } = requestsPerOrder
  const onTimeMs = onTimeOf(cases, played)
  const downloads = [...product.control.wholeDownloads().values()].reduce((sum, n) => sum + n, 0)
  return {
    accepted: cases.length,
    delivered: delivered.length - wrongFiles.length,
    wrongFiles,
    wrongNegativePrompts: cases.filter((one) => isWronglyOrdered(one, options)).map(nameOf),
    failed: countBy(cases.flatMap(({ view }) => causeOf(view))),
    ordered: ledger.length,
    orderedTwice: twice.map(nameOf),
    orphansOnRecord: twice.filter(({ view }) => orphans.has(view?.id ?? '')).length,
    unexcusedTwice: unexcused.map(nameOf),
    lost: cases.flatMap((one) => lossOf(one, { findsAll, orphans, ledger })),
    stuck: [...watch.stuck.values()].map(
      ({ prompt, what, seconds }) => `${prompt.slice(0, 12)} as ${what} for ${seconds} s`,
    ),
    charged: charges.charged,
    chargedWrongly: [...charges.wrong, ...watch.overQuota],
    earlyRounds: earlyRounds(cases, orphans, await product.proxies.arrivals()),
    exits: [...product.webs, ...product.workers].flatMap(({ exits }) =>
      exits.map(
        ({ name, at, code, lastLines }) =>
          `${name} at ${at.toISOString()} with ${code}: ${lastLines.at(-1) ?? ''}`,
      ),
    ),
    downloadsPerClip: delivered.length === 0 ? 0 : downloads / delivered.length,
    requestsPerOrder,
    waitedForKeys: waitedForKeys(cases, keys, { played, onTimeMs }),
    waitedForStandIn: waitedForStandIn(cases, { played, onTimeMs }),
    stoodIn: cases.filter((one) => isByStandIn(one, setting)).length,
    paidForNothing: paidForNothing(vainOrders(cases, ledger), played),
    tooManyRequests:
      average > MOST_TIMES * calm ? [`${average.toFixed(1)} each, undisturbed ${calm}`] : [],
  }
}

/** How long an order may take to reach the provider, on a machine that works to its limit. */
const ON_TIME_MS = 15_000

/**
 * Returns how long an order may take in this run: as long as any took while there was no trouble. What a slow
 * machine does to all is no fault of a trouble.
 */
function onTimeOf(cases: readonly Case[], played: readonly Played[]): number {
  const calm = cases.filter((one) => {
    const { at = -Infinity } = one.accepted
    const isNear = ({ from, to = Infinity }: Played) =>
      from < at + ON_TIME_MS && at < to + ON_TIME_MS
    return Number.isFinite(at) && hasPlace(one, cases) && !played.some(isNear)
  })
  return Math.max(ON_TIME_MS, ...calm.map(waitOf).filter(Number.isFinite))
}

type Waits = { played: readonly Played[]; onTimeMs: number }

/** Returns how long a video waited for its first order, in milliseconds. Infinity: it was never ordered. */
const waitOf = ({ accepted: { at = 0 }, orders }: Case): number =>
  Math.min(...orders.map(({ at: taken }) => taken)) - at

/**
 * Returns the customers with a key of their own who waited while another one's key was in trouble, or
 * theirs, because the next one is used at once. Only troubles that came alone count.
 */
function waitedForKeys(
  cases: readonly Case[],
  keys: Keys | undefined,
  { played, onTimeMs }: Waits,
): string[] {
  const theirs = new Set(keys?.own.map(({ customer }) => customer))
  return alone(played, OF_ONE_KEY).flatMap(({ name, from, to }) =>
    cases.flatMap((one) => {
      const { at } = one.accepted
      if (!theirs.has(one.customer) || at === undefined || at < from || at + onTimeMs > to)
        return []
      const ms = waitOf(one)
      return ms > onTimeMs ? [`${nameOf(one)}: ${Math.round(ms / 1000)} s during ${name}`] : []
    }),
  )
}

/** Returns the customers whose orders waited for a provider that was away for long and alone. */
function waitedForStandIn(cases: readonly Case[], { played, onTimeMs }: Waits): string[] {
  // When a stand-in has stepped in at the latest: first the provider has to be met, or not to answer.
  const stoodInAfterMs = STAND_IN_AFTER_MS + 2 * onTimeMs
  return played.flatMap((trouble) => {
    const provider = awayIn(trouble)
    const { from, to = Date.now() } = trouble
    const others = played.filter((one) => one !== trouble)
    return cases.flatMap((one) => {
      const { at = 0 } = one.accepted
      const isTheirs = readRoute(one.customer.route).provider === provider
      const isAlone = others.every(
        (other) => other.from > at + onTimeMs || (other.to ?? Date.now()) < from,
      )
      if (!isTheirs || !isAlone || !hasPlace(one, cases) || at < from + stoodInAfterMs) return []
      if (at + onTimeMs > to) return []
      const ms = waitOf(one)
      return ms > onTimeMs
        ? [`${nameOf(one)}: ${Math.round(ms / 1000)} s during ${trouble.name}`]
        : []
    })
  })
}

/** Orders that the provider has and does not answer for keep their places. */
function hasPlace({ customer, accepted: { at = 0 } }: Case, cases: readonly Case[]): boolean {
  const underWay = cases.filter(
    (one) =>
      one.customer === customer &&
      (one.accepted.at ?? Infinity) < at &&
      one.view?.status === 'completed' &&
      Date.parse(one.view.completedAt ?? '') > at,
  )
  return underWay.length < customer.pace
}

/** Returns whether a video was delivered by the provider that only stands in for its customer's. */
function isByStandIn({ customer, orders, view }: Case, { second }: Setting): boolean {
  const isSecond = orders.at(-1)?.family === second?.family
  const isSecondTheirs = readRoute(customer.route).provider === SECOND
  return view?.status === 'completed' && second !== undefined && isSecond !== isSecondTheirs
}

/**
 * Returns when the orders were sent that were paid for and brought nobody a clip. A slow provider accepts them
 * up to 40 s later, when a trouble may have begun of which the product could not know.
 */
const vainOrders = (cases: readonly Case[], ledger: readonly Entry[]): number[] =>
  cases.flatMap((one) => {
    const paid = paidOrders(one, ledger)
    const vain = one.view?.status === 'completed' ? paid.slice(0, -1) : paid
    return vain.map(({ arrivedAt }) => arrivedAt)
  })

/** Returns the troubles of these names during which there was no other. */
const alone = (played: readonly Played[], names: ReadonlySet<string>) =>
  played.flatMap(({ name, from, to = Date.now() }) => {
    const others = played.filter((one) => one.from !== from || one.name !== name)
    const isAlone = others.every((one) => one.from > to || (one.to ?? Date.now()) < from)
    return names.has(name) && isAlone ? [{ name, from, to }] : []
  })

const averageOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

const nameOf = ({ accepted, orders, view }: Case): string =>
  `${accepted.prompt.slice(0, 12)} of ${orders.map(({ orderId }) => orderId).join(', ') || 'no order'}` +
  ` (${view?.status ?? 'gone'})`

const isWronglyOrdered = ({ accepted, orders }: Case, { setting }: Options): boolean =>
  orders.some(
    (order) =>
      !hasItsNegativePrompt(accepted, order, protocolOf(setting, order.family).negativePrompt),
  )

async function casesOf(customers: readonly Customer[], ledger: readonly Entry[]): Promise<Case[]> {
  const orders = ordersByVideo(
    customers.flatMap(({ accepted }) => accepted),
    ledger,
  )
  const cases = await Promise.all(
    customers.map(async (customer) => {
      const views = new Map((await galleryOf(customer)).map((view) => [view.prompt, view]))
      return customer.accepted.map((accepted) => ({
        customer,
        accepted,
        view: views.get(accepted.prompt),
        orders: orders.get(accepted.number) ?? [],
      }))
    }),
  )
  return cases.flat()
}

async function fileProblem(one: Case): Promise<string[]> {
  const { customer, view, accepted, orders } = one
  if (!view) return []
  const bytes = await customer.open(`/media/${view.id}.mp4`)
  if (bytes === undefined) return [`${nameOf(one)}: /media has no clip`]
  const verdict = checkFile(bytes, accepted, orders)
  return verdict === 'right' ? [] : [`${nameOf(one)}: ${verdict.wrong}`]
}

/**
 * Returns the orders that became a clip or would have. Excludes an order with the id of an earlier
 * one, because it cannot be polled.
 */
function paidOrders({ accepted, orders }: Case, ledger: readonly Entry[]): Entry[] {
  if (accepted.isHopeless) return []
  return orders.filter((order) => ledger.find(({ orderId }) => orderId === order.orderId) === order)
}

/**
 * Returns the number of orders per video that the product may have paid for and did not get. A
 * generation has at most one orphan (I8): its second lost order ends the video.
 */
async function orphansByVideo(db: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; n: number }>(
    `select video_id as id, count(*)::int as n from attempts
     where state = 'orphaned' or (state = 'failed' and lost_at is not null) group by 1`,
  )
  return new Map(rows.map(({ id, n }) => [id, n]))
}

function causeOf(view: VideoView | undefined): string[] {
  if (view?.status !== 'error') return []
  return [view.errorCode ?? 'without a cause']
}

type Known = {
  findsAll: (one: Case) => boolean
  orphans: ReadonlyMap<string, number>
  ledger: readonly Entry[]
}

/**
 * Returns why a video is lost, if it is: it is missing, has not ended, failed without a cause, or
 * was paid for and not delivered.
 */
function lossOf(one: Case, { findsAll, orphans, ledger }: Known): string[] {
  const { view } = one
  if (view === undefined) return [`${nameOf(one)}: not in the gallery`]
  if (view.status === 'completed') return []
  if (view.status !== 'error') return [`${nameOf(one)}: has not ended`]
  if (view.errorCode === null || view.errorMessage === null)
    return [`${nameOf(one)}: failed without a cause`]
  const paid = paidOrders(one, ledger).length
  const isOnRecord = !findsAll(one) && (orphans.get(view.id) ?? 0) >= paid
  return paid === 0 || isOnRecord ? [] : [`${nameOf(one)}: paid for and failed (${view.errorCode})`]
}

/**
 * Compares the units used with the clips delivered. The unit of an unended video is only reserved.
 */
async function chargesOf(customers: readonly Customer[], cases: readonly Case[]) {
  const wrong: string[] = []
  let charged = 0
  for (const customer of customers) {
    const theirs = cases.filter((one) => one.customer === customer)
    const count = (...statuses: string[]) =>
      theirs.filter(({ view }) => statuses.includes(view?.status ?? '')).length
    const used = (await usedBy(customer)) - count('pending', 'generating')
    const got = count('completed')
    charged += used
    if (used !== got) wrong.push(`${customer.name}: ${used} charged, ${got} delivered`)
    if (got > customer.limit) wrong.push(`${customer.name}: ${got} of ${customer.limit} delivered`)
  }
  return { charged, wrong }
}

/**
 * Returns rounds that reached the provider too early: with L videos per round, the video L places
 * later may arrive only a whole delay later. This is checked for the first order of each video,
 * both by its arrival at the provider and by its acceptance. Further orders of a video do
 * not count.
 */
function earlyRounds(
  cases: readonly Case[],
  orphans: ReadonlyMap<string, number>,
  arrivals: ReadonlyMap<number, number>,
): string[] {
  const came = new Map<Batch, number[]>()
  const taken = new Map<Batch, number[]>()
  for (const { accepted, orders, view } of cases) {
    if (!accepted.batch) continue
    const firstTaken = Math.min(...orders.map(({ arrivedAt }) => arrivedAt))
    const first = Math.min(arrivals.get(accepted.number) ?? Infinity, firstTaken)
    note(came, accepted.batch, first)
    // An orphan counts as accepted on arrival, whether it was accepted or not.
    note(taken, accepted.batch, orphans.has(view?.id ?? '') ? first : firstTaken)
  }
  return [...earliest('came', came), ...earliest('taken', taken)]
}

function note(times: Map<Batch, number[]>, batch: Batch, at: number): void {
  if (Number.isFinite(at)) times.set(batch, [...(times.get(batch) ?? []), at])
}

function earliest(what: string, batches: ReadonlyMap<Batch, number[]>): string[] {
  return [...batches].flatMap(([{ id, speedLimit, delaySeconds }, times]) => {
    const sorted = times.toSorted((one, other) => one - other)
    const gaps = sorted.slice(speedLimit).map((at, i) => at - sorted[i]!)
    const early = Math.max(0, ...gaps.map((gap) => 1000 * delaySeconds - gap))
    return early > 0 ? [`batch ${id}: ${what} ${early} ms early`] : []
  })
}

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
