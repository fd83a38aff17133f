import type { NextFunction, Request, Response } from 'express'
import { networkOf } from '~/lib/network.server'
import { paths } from '~/lib/paths'
import { seconds } from '~/lib/time'
import { createLane, tooMany, type Lane } from './lane.server'

/** Requests of one network, and of one session, that may be under way at once. */
const MOST = { network: 128, session: 32 } as const

/**
 * Of the web process's connections to the database a search takes up to three and a look at a password
 * one. So many at once leave the others free for pages and polls.
 */
const AT_ONCE = 2
/** What may wait for its turn: of one caller, and of all. */
const WAITING = { ofCaller: 40, ofAll: 400 } as const
/** By then a browser still waits, and a load balancer too. */
const LONGEST_WAIT_MS = seconds(10)
/** Far more than a search or a look at a password takes. */
const LONGEST_TURN_MS = seconds(3)

/** Long answers, which cost little while they are sent, and what tells supervisors how it is. */
const UNCOUNTED = /^\/(media\/|healthz$|readyz$|metrics$|api\/videos\/(archive$|[^/]+\/download$))/

const LOOKS_AT_PASSWORDS = new Set<string>([
  paths.login,
  paths.resume,
  paths.register,
  '/set-password',
  paths.changePassword,
  paths.secondFactor,
  paths.sessions,
  '/admin/confirm',
  paths.admin.exportUsers,
  paths.api.login,
  paths.api.loginCode,
  paths.api.register,
  paths.api.changePassword,
])

type Middleware = (req: Request, res: Response, next: NextFunction) => void

/**
 * Keeps one client from taking what all need: `byNetwork` before anything is asked of the database,
 * `bySession` once it is known who asks. What is heavy goes through a lane, in which callers take turns.
 * `scale` multiplies what one caller may have under way; load tests come from one address.
 */
export function createAdmission(scale: number): { byNetwork: Middleware; bySession: Middleware } {
  const networks = createCounter(MOST.network * scale)
  const sessions = createCounter(MOST.session * scale)
  const limits = {
    atOnce: AT_ONCE,
    mostOfCaller: WAITING.ofCaller * scale,
    mostOfAll: WAITING.ofAll * Math.max(1, scale),
    longestWaitMs: LONGEST_WAIT_MS,
    longestTurnMs: LONGEST_TURN_MS,
  }
  const lanes = { search: createLane(limits), password: createLane(limits) }
  return {
    byNetwork: (req, res, next) => {
      if (res.closed) return
      if (!UNCOUNTED.test(req.path)) networks(networkOf(res.locals.context.address).narrow, res)
      next()
    },
    bySession: (req, res, next) => {
      // Who has left while it was found out who asks waits for nothing, and would never leave the lane.
      if (res.closed) return
      const { visitor, address } = res.locals.context
      const caller = visitor?.token ?? networkOf(address).narrow
      if (visitor && !UNCOUNTED.test(req.path)) sessions(caller, res)
      const lane = laneOf(req, lanes)
      if (lane) lane.enter(caller, res).then(() => next(), next)
      else next()
    },
  }
}

function laneOf(req: Request, { search, password }: Record<'search' | 'password', Lane>) {
  if (req.method === 'POST') return LOOKS_AT_PASSWORDS.has(req.path) ? password : null
  const isSearch = req.query.search !== undefined && req.query.search !== ''
  return isSearch && !UNCOUNTED.test(req.path) ? search : null
}

/** Counts what is under way by key, until its answer is sent or given up. */
function createCounter(most: number) {
  const counts = new Map<string, number>()
  return (key: string, res: Response): void => {
    const count = (counts.get(key) ?? 0) + 1
    if (count > most) throw tooMany()
    counts.set(key, count)
    res.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    })
  }
}
