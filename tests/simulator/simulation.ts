import type http from 'node:http'
import type { SimClock } from './clock'
import type { Exchange, Reply } from './exchange'
import { proxyPage, Refusal } from './exchange'
import type { Mints } from './oauth'
import { overQuota, type Order, type OrderDetails, type Orders } from './orders'
import { longNumber } from './strange'
import { within, type Action, type Facts, type Scenario, type Span } from './scenario'

/** The state of one simulator. */
export type Simulation = {
  clock: SimClock
  scenario: Scenario
  pick: (facts: Facts) => Action
  random: () => number
  orders: Orders
  tokens: Map<string, TokenUse>
  mints: Mints
  hanging: Set<http.ServerResponse>
  apiUrl: string
  filesUrl: string
  nextNumber: () => number
  pause: (span: Span | undefined) => Promise<void>
}

export type TokenUse = { calls: number; firstAt: number }

/** The error responses of a family. */
export type Spelling = {
  /** For a token that is missing, dead or refused. */
  unauthorized: (why: 'missing' | 'api-key' | 'expired') => Reply
  forbidden: (reason: string, message: string) => Reply
  /** For any error of the scenario. */
  error: (status: number, action: Action) => Reply
  quota: (kind: 'rate' | 'in-flight', model: string) => Reply
}

/** A request, with the error responses of its family. */
export type Call = Pick<Exchange, 'simulation' | 'incoming' | 'family' | 'op'> & {
  spelling: Spelling
}

/** Returns the token, or throws the refusal. A token dies with its own next call. */
export function authorise({ simulation, incoming, op, spelling }: Call): string {
  const { token, headers, url } = incoming
  if (token === null) {
    const isKey = headers['x-goog-api-key'] !== undefined || url.searchParams.has('key')
    throw new Refusal(spelling.unauthorized(isKey ? 'api-key' : 'missing'))
  }
  const now = simulation.clock.now()
  const use = simulation.tokens.get(token) ?? { calls: 0, firstAt: now }
  simulation.tokens.set(token, { ...use, calls: use.calls + 1 })
  const minted = simulation.mints.find(token)
  if (minted !== undefined) {
    if (minted.expiresAt <= now || minted.withdrawn)
      throw new Refusal(spelling.unauthorized('expired'))
    return token
  }
  const rule = simulation.scenario.tokens[token]
  if (rule === undefined) {
    if (simulation.scenario.knownTokensOnly) throw new Refusal(spelling.unauthorized('expired'))
    return token
  }
  if (rule.onlyFor !== undefined && !rule.onlyFor.includes(op)) return token
  if (rule.status === 403) {
    throw new Refusal(
      spelling.forbidden(rule.reason ?? 'SERVICE_DISABLED', 'The caller does not have permission'),
    )
  }
  const isOld = rule.expiresInMs !== undefined && now - use.firstAt >= rule.expiresInMs
  const isSpent = rule.dieAfterCalls !== undefined && use.calls >= rule.dieAfterCalls
  if (rule.dead || isOld || isSpent) throw new Refusal(spelling.unauthorized('expired'))
  return token
}

/** Returns the account of a token; `asked` if it fits any. */
export function accountOf({ simulation }: Call, token: string, asked: string): string {
  return simulation.mints.find(token)?.project ?? simulation.scenario.accounts[token] ?? asked
}

/** Throws a refusal if the order belongs to another account, and counts it. */
export function requireOwner(call: Call, order: Order, account: string): void {
  if (order.account === account) return
  call.simulation.orders.counts.crossAccountPolls += 1
  throw new Refusal(
    call.spelling.forbidden(
      'IAM_PERMISSION_DENIED',
      `Permission denied on order of ${order.account} (or it may not exist).`,
    ),
  )
}

/** Returns the error that the scenario sets in place of a response, if any. */
export function scriptedError({ spelling }: Call, action: Action): Reply | null {
  if (action.status === undefined) return null
  if (action.html) return proxyPage(action.status)
  return spelling.error(action.status, action)
}

/**
 * Accepts an order, or throws. The order of checks: errors before acceptance, quotas, the ledger,
 * errors after acceptance.
 */
export async function takeOrder(
  call: Call,
  action: Action,
  details: Omit<OrderDetails, 'id' | 'family'> & { id: (number: number) => string },
): Promise<Order> {
  const { simulation, family, spelling } = call
  const { defaults } = simulation.scenario
  await simulation.pause(action.latencyMs ?? defaults.submitLatencyMs)
  const error = scriptedError(call, action)
  if (error !== null && action.after !== 'accept') throw new Refusal(error)
  if (action.fault === 'drop-before-accept')
    throw new Refusal({ status: 500, headers: {}, body: Buffer.alloc(0) })
  const account = details.account
  const over = overQuota(simulation.scenario, simulation.orders, {
    account,
    now: simulation.clock.now(),
  })
  if (over !== null) throw new Refusal(spelling.quota(over, details.model))
  const number = simulation.nextNumber()
  const isNumbered = simulation.scenario.strange.idAs === 'number'
  const order = simulation.orders.accept(
    { ...details, family, id: isNumbered ? longNumber(number) : details.id(number) },
    {
      action,
      generationMs: within(action.generationMs ?? defaults.generationMs, simulation.random),
      bytes: action.bytes ?? defaults.bytes,
      arrivedAt: call.incoming.arrivedAt,
    },
  )
  if (error !== null) throw new Refusal(error)
  return order
}
