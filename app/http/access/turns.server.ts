import type { NextFunction, Request, Response } from 'express'
import { networkOf } from '~/lib/network.server'
import { createRoundRobin } from './round-robin.server'

/**
 * The most requests that wait for a turn. Further ones start at once, so that a client that
 * sends request after request on one connection cannot fill the memory.
 */
const MOST_WAITING = 1_000

/**
 * Returns a function that calls back at once, but only once per caller and iteration of the event
 * loop. Further calls of the same caller wait for the next iterations, in their order. While
 * `mostWaiting` calls are waiting, further ones call back at once.
 */
export function createTurns(mostWaiting: number) {
  const queues = createRoundRobin()
  let waiting = 0
  const started = new Set<string>()
  const startWaiting = () => {
    started.clear()
    const next = () => queues.next((caller) => !started.has(caller))
    for (let start = next(); start; start = next()) {
      waiting -= 1
      start()
    }
  }
  return (caller: string, callback: () => void): void => {
    const start = () => {
      if (started.size === 0) setImmediate(startWaiting)
      started.add(caller)
      callback()
    }
    if (!started.has(caller) || waiting >= mostWaiting) return start()
    waiting += 1
    queues.add(caller, start)
  }
}

/**
 * Creates a middleware that starts one request of each network per iteration of the event loop. A
 * network that sends hundreds of requests at once, most of which will be refused, thus delays only
 * itself: the requests of other networks start in between.
 */
export function startInTurns() {
  const take = createTurns(MOST_WAITING)
  return (_req: Request, res: Response, next: NextFunction): void =>
    take(networkOf(res.locals.context.address).network, () => {
      if (!res.closed) next()
    })
}
