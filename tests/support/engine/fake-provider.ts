import { makeClip } from '../../simulator/clip'
import type { LedgerEntry } from '../../simulator/ledger'
import { hashOf, openOrders, type Order } from '../../simulator/orders'
import { openRandom, openRules, scenarioSchema, within } from '../../simulator/scenario'
import type { Action, Operation, ScenarioInput } from '../../simulator/scenario'
import {
  ProviderError,
  type Acceptance,
  type Capabilities,
  type Credential,
  type Fault,
  type OrderRef,
  type PollResult,
  type VideoProvider,
} from '../../../app/platform/providers/port'

/**
 * The simulator's order book behind the provider port, without the wire. Scenarios, outcomes and
 * ledger are the simulator's, in this process and without delay, for tests that need thousands of
 * orders.
 */
export type FakeProvider = VideoProvider & {
  /**
   * Returns the accepted orders, which cost money. Invariants are checked against them, not against
   * the product's tables.
   */
  entries: () => readonly LedgerEntry[]
  /** Replaces the scenario. Orders and ledger stay. */
  play: (scenario: ScenarioInput) => void
  /** Returns all calls since the fake was opened, accepted or not. */
  calls: () => readonly { op: Operation; token: string; at: number }[]
}

type Options = { now: () => number; can?: Partial<Capabilities>; scenario?: ScenarioInput }

const CAN: Capabilities = {
  durations: [8],
  texts: { negativePrompt: 'native' },
  takesPictures: true,
  takesEndPictures: true,
  recover: 'client-id',
  ordersAgain: false,
  needsCredential: false,
  deadlineMs: 20 * 60_000,
  deadlineFrom: 'order',
  clipsKeptMs: 24 * 60 * 60_000,
  expectedMs: 60_000,
}
const SIZE = { width: 64, height: 112, seconds: 1 }
const CLIP = makeClip({ lines: ['sim'], note: 'one for all', ...SIZE })
const DEFAULTS: ScenarioInput = { defaults: { generationMs: 60_000 } }

export function openFakeProvider({
  now,
  can = {},
  scenario: first = DEFAULTS,
}: Options): FakeProvider {
  const orders = openOrders({ add: () => undefined, close: () => undefined }, { now })
  const calls: { op: Operation; token: string; at: number }[] = []
  let scenario = scenarioSchema.parse(first)
  let pick = openRules(scenario)
  let random = openRandom(scenario.seed)
  const capabilities = { ...CAN, ...can }

  /** Counts a call, refuses dead tokens, and returns the action of the scenario. */
  const enter = (op: Operation, credential: Credential, about: About): Action => {
    const token = credential.secret.reveal()
    calls.push({ op, token, at: now() })
    const rule = scenario.tokens[token]
    const applies = rule?.onlyFor === undefined || rule.onlyFor.includes(op)
    if (applies && rule?.dead) throw refusal({ kind: 'unauthorized' }, 'rejected')
    const action = pick({ op, family: 'vertex', token, ...about })
    if (action.status !== undefined && action.after !== 'accept') throw answerOf(action, op)
    return action
  }
  const orderOf = (ref: OrderRef, credential: Credential): Order => {
    const order = orders.find(ref.id)
    if (!order) throw refusal({ kind: 'permanent', reason: 'job-gone' }, 'accepted')
    if (order.account !== credential.accountScope) orders.counts.crossAccountPolls += 1
    return order
  }
  const about = ({ id }: OrderRef): About => ({
    prompt: orders.find(id)?.prompt ?? null,
    orderId: id,
  })
  const refOf = ({ id, account, model }: Order): OrderRef => ({
    provider: 'fake',
    accountScope: account,
    model,
    id,
  })
  const fake: FakeProvider = {
    kind: 'fake',
    model: 'desk-1',
    can: capabilities,
    entries: orders.entries,
    calls: () => calls,
    play: (next) => {
      scenario = scenarioSchema.parse(next)
      pick = openRules(scenario)
      random = openRandom(scenario.seed)
    },
    submit: async (
      { prompt, negativePrompt, picture, endPicture },
      credential,
      { attemptId, mayStart },
    ) => {
      if (!(await mayStart())) throw refusal({ kind: 'transient' }, 'not-sent')
      const action = enter('submit', credential, { prompt, orderId: null })
      if (action.fault === 'drop-before-accept') throw refusal({ kind: 'transient' }, 'unknown')
      const order = orders.accept(
        {
          ...SIZE,
          id: `order-${attemptId}`,
          family: 'vertex',
          dialect: '',
          attemptId,
          prompt,
          negativePrompt,
          picture: picture === undefined ? null : Buffer.from(picture),
          endPicture: endPicture === undefined ? null : Buffer.from(endPicture),
          account: credential.accountScope,
          token: credential.secret.reveal(),
          model: fake.model,
          folder: null,
        },
        {
          action,
          bytes: 0,
          arrivedAt: now(),
          generationMs: within(action.generationMs ?? scenario.defaults.generationMs, random),
        },
      )
      if (action.status !== undefined) throw answerOf(action, 'submit')
      if (action.fault === 'drop-after-accept') throw refusal({ kind: 'transient' }, 'unknown')
      return refOf(order)
    },
    poll: async (ref, credential) => {
      enter('poll', credential, about(ref))
      return stateOf(orderOf(ref, credential), now())
    },
    fetch: async ({ ref }, credential, { file }) => {
      const action = enter('content', credential, about(ref))
      const order = orderOf(ref, credential)
      const bytes = mangled(action)
      const version = BROKEN.has(action.fault ?? '') ? null : `"${ref.id}"`
      if (version === null || file.version() !== version) await file.restart(version)
      await file.write(bytes.subarray(file.bytes()))
      if (action.fault === 'truncate') throw refusal({ kind: 'transient' }, 'accepted')
      order.fetched = true
      return { bytes: file.bytes() }
    },
    ...(capabilities.recover === 'none'
      ? {}
      : {
          find: async ({ attemptId }, credential) => {
            enter('list', credential, { prompt: null, orderId: null })
            const order = orders.find(`order-${attemptId}`)
            // An order that got another one's id cannot be looked up by its own.
            return order && order.id === order.key
              ? { found: 'order', ref: refOf(order) }
              : { found: 'nothing', settled: true }
          },
        }),
    // Not in `calls`: a test of a key costs nothing.
    check: async (credential) => {
      const token = credential.secret.reveal()
      const rule = scenario.tokens[token]
      const applies = rule?.onlyFor === undefined || rule.onlyFor.includes('check')
      if (applies && rule?.dead) throw refusal({ kind: 'unauthorized' }, 'rejected')
      const action = pick({ op: 'check', family: 'vertex', token, prompt: null, orderId: null })
      if (action.status !== undefined) throw answerOf(action, 'check')
    },
    // The account is the part before the colon: 'acme:one' and 'acme:two' share one.
    scopeOf: (text) => ({
      ok: true,
      kind: 'static-bearer',
      accountScope: text.includes(':') ? text.split(':')[0]! : `account ${hashOf(text)}`,
    }),
  }
  return fake
}

type About = { prompt: string | null; orderId: string | null }

function refusal(fault: Fault, acceptance: Acceptance, message = fault.kind): ProviderError {
  return new ProviderError(fault, acceptance, { message })
}

/** Returns the error that the adapters make of an error response. */
function answerOf({ status = 500, retryAfter }: Action, op: Operation): ProviderError {
  const asked = typeof retryAfter === 'number' ? { retryAfterMs: retryAfter * 1000 } : {}
  const acceptance: Acceptance = op === 'submit' ? 'rejected' : 'accepted'
  switch (status) {
    case 400:
      return refusal({ kind: 'invalid-request' }, acceptance)
    case 401:
      return refusal({ kind: 'unauthorized' }, acceptance)
    case 402:
      return refusal({ kind: 'quota-exhausted', scope: 'account' }, acceptance)
    case 403:
      return refusal({ kind: 'permanent', reason: 'forbidden' }, acceptance)
    case 404: {
      const reason = op === 'submit' ? 'model-gone' : 'job-gone'
      return refusal({ kind: 'permanent', reason }, acceptance)
    }
    case 429:
      return refusal({ kind: 'rate-limited', scope: 'account', ...asked }, acceptance)
    case 502:
    case 504:
      return refusal({ kind: 'transient' }, op === 'submit' ? 'unknown' : 'accepted')
    // No real status: the server was unreachable.
    case 599:
      return refusal({ kind: 'transient' }, 'not-sent')
    default:
      return refusal({ kind: 'transient', ...asked }, acceptance)
  }
}

function stateOf(order: Order, now: number): PollResult {
  if (now < order.readyAt) {
    const pollAfterMs = Math.min(60_000, Math.max(1, order.readyAt - now))
    return { state: 'pending', phase: 'running', pollAfterMs }
  }
  const evidence = { message: `raw words of the provider about ${order.id}` }
  switch (order.outcome) {
    case 'filtered': {
      const fault: Fault = { kind: 'content-blocked', stage: 'output', codes: ['58061214'] }
      return { state: 'failed', fault, evidence }
    }
    case 'op-error':
      return { state: 'failed', fault: { kind: 'transient' }, evidence }
    case 'failed':
    case 'empty': {
      const fault: Fault = { kind: 'permanent', reason: 'other' }
      return { state: 'failed', fault, evidence }
    }
    case 'forgotten':
      throw refusal({ kind: 'permanent', reason: 'job-gone' }, 'accepted')
    default:
      return { state: 'succeeded', assets: [{ at: 'url', url: order.id, auth: 'credential' }] }
  }
}

/** Bytes that are no part of the clip, so a later call cannot resume after them. */
const BROKEN = new Set<string>(['no-bytes', 'html', 'corrupt'])

function mangled({ fault, atByte = 1000 }: Action): Buffer {
  if (fault === 'no-bytes') return Buffer.alloc(0)
  if (fault === 'html') return Buffer.from('<!doctype html><title>502</title>')
  if (fault === 'truncate' || fault === 'corrupt') return CLIP.subarray(0, atByte)
  return CLIP
}
