import { createHash } from 'node:crypto'
import type { Action, Family, Scenario } from './scenario'
import type { Ledger, LedgerEntry } from './ledger'
import { makeClip } from './clip'

export type OrderDetails = {
  id: string
  family: Family
  /** The dialect of /v1/videos that accepted it. */
  dialect: string
  attemptId: string | null
  account: string
  token: string
  model: string
  prompt: string
  /** What the order has in a field of its own, as the provider received it. */
  negativePrompt: string | null
  /** The JPEG with which the video begins, as the provider received it. Null: none. */
  picture: Buffer | null
  /** The one with which it ends, in the same way. */
  endPicture?: Buffer | null
  width: number
  height: number
  seconds: number
  /** Where the clip is written. */
  folder: { bucket: string; prefix: string } | null
}

export type Order = OrderDetails & {
  /** Unique in the book; differs from `id` if the order got the id of an earlier one. */
  key: string
  acceptedAt: number
  readyAt: number
  outcome: NonNullable<Action['outcome']>
  action: Action
  bytes: number
  /** Every request that named it: its submit, polls and downloads, refused ones too. */
  requests: number
  polls: number
  pollsAfterDone: number
  /** A poll has reported its end. */
  reported: boolean
  fetched: boolean
  deleted: boolean
  credentials: Set<string>
  /** Number of addresses of its clip so far; addresses expire. */
  addresses: number
}

export type Stats = {
  /** Accepted orders, which cost money. */
  ordersAccepted: number
  ordersPerPrompt: Record<string, number>
  /** Orders whose clip was fetched completely. */
  deliveredVideos: number
  filtered: number
  /** Orders that failed for other reasons than a filter. */
  failedOrders: number
  /** Orders with a clip that was never fetched. */
  wastedOrders: number
  maxSubmitsInAnyMinute: number
  pollsPerOrder: number
  pollsAfterDone: number
  pollsTooSoon: number
  credentialsSeenPerOrder: Record<string, number>
  crossAccountPolls: number
  secretsInUrl: number
  credentialsToFiles: number
}

export const hashOf = (text: string | Buffer): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)

const FILTERED = new Set(['filtered', 'audio-filtered'])
const ENDED = new Set(['op-error', 'failed', 'empty', 'cancelled'])

type Book = { orders: Map<string, Order>; ledger: Ledger; entries: LedgerEntry[] }

/** Opens the order book of one simulator. */
export function openOrders(ledger: Ledger, clock: { now(): number }) {
  const book: Book = { orders: new Map(), ledger, entries: [] }
  const counts = { crossAccountPolls: 0, secretsInUrl: 0, credentialsToFiles: 0, pollsTooSoon: 0 }
  const lastPoll = new Map<string, number>()

  return {
    counts,
    all: () => [...book.orders.values()],
    entries: () => book.entries,
    /** Returns the order with this key; for an id that was used twice, the earlier order. */
    find: (key: string): Order | undefined => book.orders.get(key),
    forget: (key: string) => book.orders.delete(key),

    /** Accepts an order. The ledger has it before the response is sent. */
    accept(
      details: OrderDetails,
      how: { action: Action; generationMs: number; bytes: number; arrivedAt: number },
    ): Order {
      const at = clock.now()
      const id = how.action.fault === 'same-id' ? earlierId(book, details) : details.id
      const entry: LedgerEntry = {
        orderId: id,
        family: details.family,
        attemptId: details.attemptId,
        account: details.account,
        tokenHash: hashOf(details.token),
        promptHash: hashOf(details.prompt),
        negativePromptHash: details.negativePrompt === null ? null : hashOf(details.negativePrompt),
        pictureHash: details.picture === null ? null : hashOf(details.picture),
        endPictureHash: details.endPicture ? hashOf(details.endPicture) : null,
        model: details.model,
        arrivedAt: how.arrivedAt,
        at,
      }
      ledger.add(entry)
      book.entries.push(entry)
      const outcome = how.action.outcome ?? 'clip'
      const order: Order = {
        ...details,
        id,
        key: details.id,
        acceptedAt: at,
        readyAt: outcome === 'never' ? Infinity : at + how.generationMs,
        outcome,
        action: how.action,
        bytes: how.bytes,
        requests: 0,
        polls: 0,
        pollsAfterDone: 0,
        reported: false,
        fetched: false,
        deleted: false,
        credentials: new Set(),
        addresses: 0,
      }
      book.orders.set(order.key, order)
      return order
    },

    /** Notes what costs money and makes no clip. */
    note({ token, prompt, ...rest }: Noted): void {
      const entry: LedgerEntry = {
        ...rest,
        attemptId: null,
        tokenHash: hashOf(token),
        promptHash: hashOf(prompt),
        negativePromptHash: null,
        pictureHash: null,
        endPictureHash: null,
        at: clock.now(),
      }
      ledger.add(entry)
      book.entries.push(entry)
    },

    notePoll(order: Order, token: string): void {
      order.polls += 1
      if (order.reported) order.pollsAfterDone += 1
      order.credentials.add(hashOf(token))
      const before = lastPoll.get(order.id)
      if (before !== undefined && clock.now() - before < 5_000) counts.pollsTooSoon += 1
      lastPoll.set(order.id, clock.now())
    },

    inFlight: (account: string) =>
      [...book.orders.values()].filter(
        (order) => order.account === account && order.readyAt > clock.now(),
      ).length,

    submitsSince: (account: string, since: number) =>
      book.entries.filter((entry) => entry.account === account && entry.at > since).length,

    stats(): Stats {
      const orders = [...book.orders.values()]
      const polls = orders.reduce((sum, order) => sum + order.polls, 0)
      return {
        ordersAccepted: book.entries.length,
        ordersPerPrompt: countBy(book.entries.map(({ promptHash }) => promptHash)),
        deliveredVideos: orders.filter(({ fetched }) => fetched).length,
        filtered: orders.filter(({ outcome }) => FILTERED.has(outcome)).length,
        failedOrders: orders.filter(({ outcome }) => ENDED.has(outcome)).length,
        wastedOrders: orders.filter(({ outcome, fetched }) => outcome === 'clip' && !fetched)
          .length,
        maxSubmitsInAnyMinute: mostInAMinute(book.entries.map(({ at }) => at)),
        pollsPerOrder: orders.length === 0 ? 0 : polls / orders.length,
        pollsAfterDone: orders.reduce((sum, order) => sum + order.pollsAfterDone, 0),
        credentialsSeenPerOrder: Object.fromEntries(
          orders.map(({ id, credentials }) => [id, credentials.size]),
        ),
        ...counts,
      }
    },
  }
}

type Noted = Pick<LedgerEntry, 'orderId' | 'family' | 'account' | 'model' | 'arrivedAt'> & {
  token: string
  prompt: string
}

/**
 * Returns the id of the account's last order with the same provider, or its own for the first one.
 */
function earlierId({ orders }: Book, { id, family, dialect, account }: OrderDetails): string {
  const isPeer = (order: Order) =>
    order.family === family && order.dialect === dialect && order.account === account
  return [...orders.values()].findLast(isPeer)?.id ?? id
}

export type Orders = ReturnType<typeof openOrders>

/** The parts of an order that determine its clip. */
export type ClipOrder = Pick<
  Order,
  'id' | 'key' | 'prompt' | 'width' | 'height' | 'seconds' | 'attemptId' | 'bytes'
>

/** Returns the finished clip of an order, with the same bytes every time. */
export function clipOf(order: ClipOrder): Buffer {
  const { id, key, prompt, width, height, seconds, attemptId } = order
  const tail = key.replace(/[^a-z0-9]/gi, '').slice(-10)
  const clip = makeClip({
    lines: ['sim', tail, hashOf(prompt).slice(0, 10)],
    note: JSON.stringify({ orderId: id, key, attemptId, promptHash: hashOf(prompt) }),
    width,
    height,
    seconds,
    padTo: order.bytes,
  })
  return clip
}

function countBy(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

function mostInAMinute(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other)
  let most = 0
  let from = 0
  for (const [to, time] of sorted.entries()) {
    while (time - sorted[from]! >= 60_000) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

/** Returns which quota of the account is exhausted, or null. */
export function overQuota(
  { quota }: Scenario,
  orders: Orders,
  { account, now }: { account: string; now: number },
): 'rate' | 'in-flight' | null {
  const { submitsPerMinute, maxInFlight } = quota
  if (submitsPerMinute !== undefined) {
    if (orders.submitsSince(account, now - 60_000) >= submitsPerMinute) return 'rate'
  }
  if (maxInFlight !== undefined && orders.inFlight(account) >= maxInFlight) return 'in-flight'
  return null
}
