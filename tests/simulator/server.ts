import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Socket } from 'node:net'
import { control, CONTROL } from './control'
import { readIncoming, Refusal, send, type Exchange, type Incoming, type Reply } from './exchange'
import { hashOf } from './orders'
import { routeOf, type Route } from './routes'
import type { Action } from './scenario'
import type { Simulation } from './simulation'
import { strangely } from './strange'

export type JournalEntry = {
  at: number
  method: string
  path: string
  family: string
  op: string
  /** Of the response that was made. A fault may have prevented its delivery. */
  status: number
  orderId: string | null
  accepted: boolean
  tokenHash: string | null
  fault: string | null
}

export type Journal = { entries: JournalEntry[]; most: number }

export type SimulatorInstance = { simulation: Simulation; journal: Journal; reset: () => void }

const NOT_FOUND: Reply = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":"the simulator serves no such address"}'),
}

/** Creates one of the two servers of a simulator. It is closed until `open` is called. */
export function openListener(instance: SimulatorInstance, listener: Incoming['listener']) {
  const server = http.createServer((request, response) => {
    void serve(instance, listener, { request, response })
  })
  server.keepAliveTimeout = 60_000
  const uses = new WeakMap<Socket, number>()
  server.prependListener('request', ({ socket }: http.IncomingMessage) => {
    const used = (uses.get(socket) ?? 0) + 1
    uses.set(socket, used)
    if (instance.simulation.scenario.staleKeepAlive && used > 1) socket.destroy()
  })
  let port = 0
  return {
    open: async (wanted: number, host: string): Promise<number> => {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port || wanted, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
      port = (server.address() as AddressInfo).port
      return port
    },
    /** Refuses new connections and cuts the open ones. */
    close: async (): Promise<void> => {
      if (!server.listening) return
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

type Talk = { request: http.IncomingMessage; response: http.ServerResponse }

async function serve(
  instance: SimulatorInstance,
  listener: Incoming['listener'],
  { request, response }: Talk,
) {
  response.on('error', () => undefined)
  request.on('error', () => undefined)
  try {
    const incoming = await incomingOf(instance, request, listener)
    if (incoming.url.pathname.startsWith(CONTROL)) {
      const reply = control(instance, incoming)
      response.writeHead(reply.status, reply.headers).end(reply.body)
      return
    }
    await respond(instance, incoming, response)
  } catch (error) {
    if (response.destroyed) return
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
    response.end(
      `simulator: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }
}

async function incomingOf(
  { simulation }: SimulatorInstance,
  request: http.IncomingMessage,
  listener: Incoming['listener'],
): Promise<Incoming> {
  const arrivedAt = simulation.clock.now()
  const body = await readIncoming(request)
  const { method = 'GET', headers } = request
  return {
    method,
    url: new URL(request.url ?? '/', 'http://simulator'),
    headers,
    body,
    token: /^(?:Bearer|Key) (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null,
    arrivedAt,
    listener,
  }
}

async function respond(
  instance: SimulatorInstance,
  incoming: Incoming,
  response: http.ServerResponse,
) {
  const { simulation } = instance
  countSecrets(simulation, incoming)
  const route = await routeOf(simulation, incoming)
  if (route === null) {
    response.writeHead(NOT_FOUND.status, NOT_FOUND.headers).end(NOT_FOUND.body)
    return
  }
  const action = actionFor(simulation, incoming, route)
  const { family, op } = route
  const orderId = route.order?.id ?? null
  const exchange: Exchange = { simulation, incoming, family, op, action, orderId, accepted: false }
  const reply = await replyOf(exchange, route)
  note(instance, exchange, reply)
  if (reply.isClip) {
    response.once('finish', () => {
      const order = simulation.orders.find(exchange.orderId ?? '')
      if (order && action.fault === undefined) order.fetched = true
    })
  }
  await send({ response, incoming, simulation, action }, strangely(exchange, reply))
}

function actionFor(simulation: Simulation, { token }: Incoming, route: Route): Action {
  const { family, op, order } = route
  return simulation.pick({
    family,
    op,
    token,
    prompt: route.prompt ?? order?.prompt ?? null,
    orderId: order?.id ?? null,
  })
}

async function replyOf(exchange: Exchange, { respond, op }: Route): Promise<Reply> {
  const { simulation, action } = exchange
  try {
    // Submits and polls wait later, with more information: an order's latency ends before it is
    // accepted.
    if (op !== 'submit' && op !== 'poll') await simulation.pause(action.latencyMs)
    return await respond(exchange)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

function countSecrets({ orders }: Simulation, { url, token }: Incoming): void {
  const isNamed = url.searchParams.has('key') || url.searchParams.has('access_token')
  if (isNamed || (token !== null && url.href.includes(token))) orders.counts.secretsInUrl += 1
}

function note(
  { simulation, journal }: SimulatorInstance,
  exchange: Exchange,
  { status }: Reply,
): void {
  const { incoming, family, op, orderId, accepted, action } = exchange
  const order = orderId === null ? undefined : simulation.orders.find(orderId)
  if (order) order.requests += 1
  journal.entries.push({
    at: simulation.clock.now(),
    method: incoming.method,
    path: incoming.url.pathname,
    family,
    op,
    status,
    orderId,
    accepted,
    tokenHash: incoming.token === null ? null : hashOf(incoming.token),
    fault: action.fault ?? null,
  })
  if (journal.entries.length > journal.most) journal.entries.shift()
}
