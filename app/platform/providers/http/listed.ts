import { likenessOf, type Likeness } from '~/lib/prompt-likeness'
import { minutes, seconds } from '~/lib/time'
import type { LostOrder } from '../port'

/** An order in a server's list. */
export type ListedOrder = {
  id: string
  prompt: string | null | undefined
  /** By the server's clock, in milliseconds. Null if the list does not say. */
  createdAt: number | null
  /** False if what else the list says of it differs from the lost order. */
  isAlike: boolean
}

export type ListedPage = {
  orders: readonly ListedOrder[]
  /** Where the next page is; null if this was the last one, undefined if nothing tells. */
  next: string | null | undefined
  /** The server's time when it answered. */
  serverNow: number
}

export type Listing = {
  attempt: LostOrder
  /** An order that is not listed this long after it can last have been accepted was not accepted. */
  settledAfterMs: number
  /** Requests a page; the first one with an empty text. */
  read(next: string): Promise<ListedPage>
}

/** `settled: true` means that the order was not accepted. */
export type Found = { id: string } | { settled: boolean }

/** Clocks differ, and some servers give times in whole seconds. */
export const CLOCK_SLACK_MS = seconds(5)
/**
 * A server that lost its client may continue with the request for as long as a client would wait.
 */
const LONGEST_SUBMIT_MS = seconds(65)
/**
 * `settledAfterMs` of a list that shows every order at once: the longest submit, and as much again
 * for servers that list orders late.
 */
export const LISTED_AFTER_MS = minutes(2.5)
const MOST_PAGES = 20

/**
 * Returns the id of the listed order that must be this attempt's: it has the same prompt and is alike,
 * was created in the attempt's time by the server's clock, and belongs to no other attempt. Otherwise
 * returns whether the search is settled. It is not while the attempt is young, if the list could not be
 * read back to its time, or if the owner of a listed order is unclear.
 */
export async function findListed(listing: Listing): Promise<Found> {
  const { attempt, settledAfterMs } = listing
  const { orders, isWhole } = await readList(listing)
  const free: ListedOrder[] = []
  for (const order of orders) if (!(await attempt.belongsToAnother?.(order.id))) free.push(order)
  const own = free.filter((order) => likeness(order, attempt) === 'same')
  const [oldest] = own.sort((one, other) => (one.createdAt ?? 0) - (other.createdAt ?? 0))
  // If several orders match, the oldest is this attempt's only if the others' owners are known.
  const isSure = attempt.belongsToAnother !== undefined || own.length === 1
  if (oldest !== undefined && isSure) return { id: oldest.id }
  const isOld = attempt.lostMs >= settledAfterMs
  return { settled: isOld && isWhole && free.length === 0 }
}

/**
 * Returns the orders that could be this attempt's, and whether the list was read back to its time.
 */
async function readList({ attempt, read }: Listing) {
  const orders: ListedOrder[] = []
  let next = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const listed = await read(next)
    const sentAt = listed.serverNow - attempt.ageMs
    orders.push(
      ...listed.orders.filter(
        (order) => isFrom(order, sentAt, attempt) && likeness(order, attempt) !== 'other',
      ),
    )
    if (listed.next === null || isOlder(listed.orders, sentAt)) return { orders, isWhole: true }
    // The same page again: this server does not support paging.
    if (listed.next === undefined || listed.next === next) break
    next = listed.next
  }
  return { orders, isWhole: false }
}

/** Returns whether a page reaches back before our order. Some servers do not sort by time. */
function isOlder(orders: readonly ListedOrder[], sentAt: number): boolean {
  const times = orders.map(({ createdAt }) => createdAt ?? Infinity)
  const isNewestFirst = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? time))
  return isNewestFirst && (times.at(-1) ?? Infinity) < sentAt - CLOCK_SLACK_MS
}

/** Without a time, the same prompt may be of an earlier day. */
function likeness(order: ListedOrder, { request }: LostOrder): Likeness {
  if (!order.isAlike) return 'other'
  const alike = likenessOf(request.prompt, order.prompt)
  return alike === 'same' && order.createdAt === null ? 'unclear' : alike
}

function isFrom({ createdAt }: ListedOrder, sentAt: number, attempt: LostOrder): boolean {
  if (createdAt === null) return true
  const age = createdAt - sentAt
  const sendingMs = Math.max(0, attempt.ageMs - attempt.lostMs)
  return age >= -CLOCK_SLACK_MS && age <= sendingMs + LONGEST_SUBMIT_MS + CLOCK_SLACK_MS
}
