import { AppError } from '~/domain/errors'
import { BUSY_TEXT } from '../responses/failures.server'

export type LaneLimits = {
  /** Maximum number of requests that are inside at once. */
  atOnce: number
  /** Maximum number inside and waiting: per caller, and for all callers together. */
  mostOfCaller: number
  mostOfAll: number
  longestWaitMs: number
  /**
   * After this time the next caller may start as well, so that a stalled client cannot block the
   * lane.
   */
  longestTurnMs: number
}

/** Ends a turn by emitting `close`: the response was sent, or the client disconnected. */
export type Ending = { once(event: 'close', listener: () => void): unknown }

export type Lane = {
  /**
   * Resolves when it is the caller's turn. The turn lasts until `ending` emits `close`, at most
   * `longestTurnMs`. Throws RATE_LIMITED if the caller has too many requests in the lane. Throws
   * UNAVAILABLE if all callers together have too many, or if the turn does not come in time.
   */
  enter(caller: string, ending: Ending): Promise<void>
}

type Start = () => void

/**
 * Creates a lane with limited concurrency. Callers take turns, so a caller with many requests
 * delays only itself.
 */
export function createLane(limits: LaneLimits): Lane {
  const { atOnce, mostOfCaller, mostOfAll, longestWaitMs } = limits
  const queues = createQueues()
  const counts = new Map<string, number>()
  let [inside, all] = [0, 0]

  const count = (caller: string, by: 1 | -1) => {
    all += by
    counts.set(caller, (counts.get(caller) ?? 0) + by)
    if (counts.get(caller) === 0) counts.delete(caller)
  }
  const startNext = () => {
    const start = inside < atOnce ? queues.next() : undefined
    if (start) inside++
    start?.()
  }

  return {
    enter: (caller, ending) =>
      new Promise((resolve, reject) => {
        if ((counts.get(caller) ?? 0) >= mostOfCaller) throw tooMany()
        if (all >= mostOfAll) throw tooBusy()
        count(caller, 1)
        let isInside = false
        let turn: NodeJS.Timeout | undefined
        const leave = () => {
          clearTimeout(turn)
          inside -= Number(isInside)
          isInside = false
          startNext()
        }
        const start = () => {
          isInside = true
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
          count(caller, -1)
          leave()
        })
        queues.add(caller, start)
        startNext()
      }),
  }
}

/** Stores the waiting requests by caller and takes them in round-robin order. */
function createQueues() {
  const queues = new Map<string, Set<Start>>()
  const remove = (caller: string, start: Start) => {
    const queue = queues.get(caller)
    if (queue?.delete(start) && queue.size === 0) queues.delete(caller)
  }
  return {
    add: (caller: string, start: Start) =>
      queues.set(caller, (queues.get(caller) ?? new Set()).add(start)),
    remove,
    next: (): Start | undefined => {
      for (const [caller, queue] of queues) {
        // Move this caller to the end, so that all other callers come before its next turn.
        queues.delete(caller)
        queues.set(caller, queue)
        for (const start of queue) {
          remove(caller, start)
          return start
        }
      }
      return undefined
    },
  }
}

/** The error for a client that sends more requests before it has its responses. */
export const tooMany = (): AppError =>
  new AppError('RATE_LIMITED', 'Too many requests at once. Wait for the answers, then try again.', {
    retryAfterSeconds: 1,
  })

const tooBusy = (): AppError => new AppError('UNAVAILABLE', BUSY_TEXT, { retryAfterSeconds: 5 })
