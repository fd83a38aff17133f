import { AppError } from '~/domain/errors'
import { BUSY_TEXT } from '../responses/failures.server'

export type LaneLimits = {
  /** How many are inside at once. */
  atOnce: number
  /** How many of one caller, and of all callers, may be inside or wait. */
  mostOfCaller: number
  mostOfAll: number
  longestWaitMs: number
  /** After this long the next one starts as well: a client that sends nothing holds nobody up. */
  longestTurnMs: number
}

/** What ends a turn: an answer that is sent, or a client that has left. */
export type Ending = { once(event: 'close', listener: () => void): unknown }

export type Lane = {
  /**
   * Resolves when it is the caller's turn, which lasts until `ending` closes, at most `longestTurnMs`.
   * Throws RATE_LIMITED where the caller has too many in the lane, UNAVAILABLE where all callers
   * together have, or where the turn does not come in time.
   */
  enter(caller: string, ending: Ending): Promise<void>
}

type Start = () => void

/** Work that is done a few at a time. Callers take turns, so that one with many waits for itself. */
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

/** What waits, by caller. The callers are asked in turn. */
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
        // The others have their turns before this caller has another.
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

/** What a client is told that asks for more before it has its answers. */
export const tooMany = (): AppError =>
  new AppError('RATE_LIMITED', 'Too many requests at once. Wait for the answers, then try again.', {
    retryAfterSeconds: 1,
  })

const tooBusy = (): AppError => new AppError('UNAVAILABLE', BUSY_TEXT, { retryAfterSeconds: 5 })
