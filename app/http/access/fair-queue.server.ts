import { AppError } from '~/domain/errors'
import { BUSY_TEXT } from '../responses/failures.server'
import { createRoundRobin } from './round-robin.server'

export type FairQueueLimits = {
  /** Maximum number of requests that are inside at once: for all callers together, and per caller. */
  atOnce: number
  atOnceOfCaller: number
  /** Maximum number inside and waiting: per caller, and for all callers together. */
  mostOfCaller: number
  mostOfAll: number
  longestWaitMs: number
  /**
   * After this time the next caller may start as well, so that a stalled client cannot block the
   * queue.
   */
  longestTurnMs: number
}

/** Ends a turn by emitting `close`: the response was sent, or the client disconnected. */
export type Ending = { once(event: 'close', listener: () => void): unknown }

export type FairQueue = {
  /**
   * Resolves when it is the caller's turn. The turn lasts until `ending` emits `close`, at most
   * `longestTurnMs`. Throws RATE_LIMITED if the caller has too many requests in the queue. Throws
   * UNAVAILABLE if all callers together have too many, or if the turn does not come in time.
   */
  enter(caller: string, ending: Ending): Promise<void>
}

/**
 * Creates a queue with limited concurrency. Callers take turns, so a caller with many requests
 * delays only itself.
 */
export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const { atOnce, atOnceOfCaller, mostOfCaller, mostOfAll, longestWaitMs } = limits
  const queues = createRoundRobin()
  const [all, inside] = [createTally(), createTally()]
  const mayStart = (caller: string) => inside.of(caller) < atOnceOfCaller
  const startNext = () => {
    if (inside.total() < atOnce) queues.next(mayStart)?.()
  }

  return {
    enter: (caller, ending) =>
      new Promise((resolve, reject) => {
        if (all.of(caller) >= mostOfCaller) throw tooMany()
        if (all.total() >= mostOfAll) throw tooBusy()
        all.add(caller, 1)
        let isInside = false
        let turn: NodeJS.Timeout | undefined
        const leave = () => {
          clearTimeout(turn)
          if (isInside) inside.add(caller, -1)
          isInside = false
          startNext()
        }
        const start = () => {
          isInside = true
          inside.add(caller, 1)
          clearTimeout(giveUp)
          turn = setTimeout(leave, limits.longestTurnMs)
          resolve()
        }
        const giveUp = setTimeout(() => {
          queues.remove(caller, start)
          reject(tooBusy())
        }, longestWaitMs)
        ending.once('close', () => {
          clearTimeout(giveUp)
          queues.remove(caller, start)
          all.add(caller, -1)
          leave()
        })
        queues.add(caller, start)
        startNext()
      }),
  }
}

/** Counts by caller and in total. */
function createTally() {
  const counts = new Map<string, number>()
  let total = 0
  const of = (caller: string) => counts.get(caller) ?? 0
  return {
    of,
    total: () => total,
    add: (caller: string, by: 1 | -1) => {
      total += by
      counts.set(caller, of(caller) + by)
      if (of(caller) === 0) counts.delete(caller)
    },
  }
}

/** The error for a client that sends more requests before it has its responses. */
export const tooMany = (): AppError =>
  new AppError(
    'RATE_LIMITED',
    'Too many requests at once. Wait for the responses, then try again.',
    {
      retryAfterSeconds: 1,
    },
  )

const tooBusy = (): AppError => new AppError('UNAVAILABLE', BUSY_TEXT, { retryAfterSeconds: 5 })
