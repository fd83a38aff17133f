import type { NextFunction, Request, Response } from 'express'
import { networkOf } from '~/lib/network.server'
import { paths } from '~/lib/paths'
import { seconds } from '~/lib/time'
import { findAccess, type RoutePath } from './access'
import { createFairQueue, tooMany } from './fair-queue.server'

/** Maximum number of concurrent requests per network, per session, and of all API keys of an account. */
const MOST = { network: 128, session: 32, programs: 32 } as const

/**
 * Concurrency of searches. One uses up to three of the web process's database connections, so two
 * leave enough for pages and polls.
 */
const SEARCHES = { atOnce: 2, atOnceOfCaller: 1 } as const
/** Concurrency of password checks. Each hashes on a processor core that pages and polls need too. */
const PASSWORD_CHECKS = { atOnce: 1, atOnceOfCaller: 1 } as const
/**
 * Concurrency of large bodies. They are read in pieces, one of each body between two other
 * requests. A slow client can take many seconds to send one.
 */
const LARGE_BODIES = { atOnce: 64, atOnceOfCaller: 1 } as const
const LARGE_BODY_BYTES = 64 * 1024
/** Concurrency of pictures for videos. One takes three times its size of memory while it is read. */
const PICTURES = { atOnce: 6, atOnceOfCaller: 1 } as const
const PICTURE_BYTES = 1024 * 1024
/** The pictures of a batch come together, in up to 32 MB. */
const MANY_PICTURES = { atOnce: 2, atOnceOfCaller: 1 } as const
const MANY_PICTURES_BYTES = 16 * 1024 * 1024
/** Concurrency of reports of payments, whose receipts are read one after the other. */
const RECEIPTS = { atOnce: 4, atOnceOfCaller: 1, longestTurnMs: seconds(30) } as const
/** Maximum number of requests in a queue: per caller, and in total. */
const WAITING = { ofCaller: 40, ofAll: 400 } as const
/** Shorter than the time-outs of browsers and of load balancers. */
const LONGEST_WAIT_MS = seconds(10)
/** Far longer than a search or a password check takes. */
const LONGEST_TURN_MS = seconds(3)

/**
 * Not counted: long responses, which are cheap while they are being sent, and the endpoints that
 * supervisors and monitoring use.
 */
const UNCOUNTED = /^\/(media\/|healthz$|readyz$|metrics$|api\/videos\/(archive$|[^/]+\/download$))/

const LOOKS_AT_PASSWORDS = new Set<string>([
  paths.login,
  paths.resume,
  paths.register,
  '/set-password',
  paths.changePassword,
  paths.secondFactor,
  paths.sessions,
  paths.apiKeys,
  '/admin/confirm',
  paths.admin.exportUsers,
  paths.api.login,
  paths.api.loginCode,
  paths.api.register,
  paths.api.changePassword,
] satisfies RoutePath[])

type Middleware = (req: Request, res: Response, next: NextFunction) => void

/**
 * Prevents one client from using up what all clients share. `countRequests` runs before the
 * first database query, `takeTurns` after authentication: expensive requests pass through a queue in
 * which callers take turns. `scale` multiplies the limits per caller, because load tests come from one
 * address. Above 1 it also raises the total.
 */
export function createAdmission(scale: number): Record<'countRequests' | 'takeTurns', Middleware> {
  const networks = createCounter(MOST.network * scale)
  const sessions = createCounter(MOST.session * scale)
  const programs = createCounter(MOST.programs * scale)
  const queues = openQueues(scale)
  return {
    countRequests: (req, res, next) => {
      if (res.closed) return
      const { address, token } = res.locals.context
      if (!UNCOUNTED.test(req.path)) {
        networks(networkOf(address).network, res)
        if (token !== null) sessions(token, res)
      }
      next()
    },
    takeTurns: (req, res, next) => {
      const { visitor, program, address } = res.locals.context
      // All keys of an account are one caller: another key gives no more room.
      const caller = visitor?.token ?? program?.account.id ?? networkOf(address).network
      if (program && !UNCOUNTED.test(req.path)) programs(program.account.id, res)
      const enter = async (name: keyof typeof queues) => {
        // A client that has disconnected will emit no further `close` event, so its place in the
        // queue would never be released.
        if (!res.closed) await queues[name].enter(caller, res)
      }
      const pass = async () => {
        if (reportsPayment(req)) await enter(visitor ? 'receipt' : 'strangersReceipt')
        else if (hasManyPictures(req)) await enter('manyPictures')
        else if (hasPicture(req)) await enter('picture')
        else if (hasLargeBody(req)) await enter('largeBody')
        if (checksPassword(req)) {
          // A client that stalls in the middle of its form must not keep others from signing in.
          await bodyArrived(req)
          await enter('password')
        } else if (isSearch(req)) await enter('search')
        if (!res.closed) next()
      }
      pass().catch(next)
    },
  }
}

/** Opens the queue of each kind of expensive request. */
function openQueues(scale: number) {
  const limits = {
    mostOfCaller: WAITING.ofCaller * scale,
    mostOfAll: WAITING.ofAll * Math.max(1, scale),
    longestWaitMs: LONGEST_WAIT_MS,
    longestTurnMs: LONGEST_TURN_MS,
  }
  return {
    search: createFairQueue({ ...limits, ...SEARCHES }),
    password: createFairQueue({ ...limits, ...PASSWORD_CHECKS }),
    largeBody: createFairQueue({ ...limits, ...LARGE_BODIES }),
    picture: createFairQueue({ ...limits, ...PICTURES }),
    manyPictures: createFairQueue({ ...limits, ...MANY_PICTURES }),
    receipt: createFairQueue({ ...limits, ...RECEIPTS }),
    // Strangers need no account to send one, so they have a queue of their own.
    strangersReceipt: createFairQueue({ ...limits, ...RECEIPTS }),
  }
}

const checksPassword = (req: Request): boolean =>
  req.method === 'POST' && LOOKS_AT_PASSWORDS.has(routeOf(req))

const isSearch = ({ method, path, query }: Request): boolean =>
  method !== 'POST' && query.search !== undefined && query.search !== '' && !UNCOUNTED.test(path)

const reportsPayment = (req: Request): boolean =>
  req.method === 'POST' && routeOf(req) === paths.paid

/** Of a video. */
const hasPicture = ({ headers }: Request): boolean =>
  Number(headers['content-length'] ?? 0) > PICTURE_BYTES

/** Of several pictures for a batch. */
const hasManyPictures = ({ headers }: Request): boolean =>
  Number(headers['content-length'] ?? 0) > MANY_PICTURES_BYTES

/** A body of undeclared length is assumed to be large. */
const hasLargeBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES

/** The route of a request; '' for none. A path with a slash at its end is the same route. */
const routeOf = (req: Request): string => findAccess(req.path)?.path ?? ''

/**
 * Counts concurrent requests per key. A request counts until its response has been sent or the
 * client has disconnected.
 */
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

/**
 * Resolves when the whole body of a request is in memory. It can still be read. Never resolves if
 * the client disconnects before.
 */
function bodyArrived(req: Request): Promise<void> {
  if (req.complete) return Promise.resolve()
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const take = () => {
      for (let piece = nextPiece(req); piece; piece = nextPiece(req)) pieces.push(piece)
      if (!req.complete) return
      req.off('readable', take)
      // In the same turn of the event loop: a stream that is still empty in the next one has ended.
      req.unshift(Buffer.concat(pieces))
      resolve()
    }
    req.on('readable', take)
  })
}

function nextPiece(req: Request): Buffer | null {
  const piece: unknown = req.read()
  return piece instanceof Buffer ? piece : null
}
