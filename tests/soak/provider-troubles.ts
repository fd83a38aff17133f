import { randomUUID } from 'node:crypto'
import { ADMIN } from './users'
import { played } from './play'
import type { Action, Rule, Wish } from './simulator-control'
import { CLIP_BYTES, STAND_IN_AFTER_MS } from './product'
import { FIRST_AWAY, SECOND_AWAY } from './stand-ins'
import type { Scene, Trouble } from './troubles'

// Troubles with the provider and with the connection to it.

const submits = (action: Action, times?: number): Rule => ({
  when: { op: 'submit' },
  do: action,
  ...(times === undefined ? {} : { times }),
})

const slowResponses: Trouble = {
  name: 'slow-responses',
  uses: 'submits',
  isOutage: false,
  // The provider takes the order when it responds. The product waits a minute for that. In the short
  // form look-ups are final after 45 s, which must be later.
  play: (scene) => {
    const latencyMs: [number, number] = scene.options.isShort ? [30_000, 40_000] : [45_000, 59_000]
    return played(scene, 'slow-responses', { rules: [submits({ latencyMs })] }, scene.span(20, 60))
  },
}

const slowDownloads: Trouble = {
  name: 'slow-downloads',
  uses: 'clips',
  isOutage: false,
  play: (scene) => {
    const seconds = 15 + scene.rng.below(46)
    const bytesPerSecond = Math.ceil(CLIP_BYTES / seconds)
    const rules = [{ when: { op: 'content' as const }, do: { bytesPerSecond } }]
    return played(scene, 'slow-downloads', { rules }, scene.span(25, 90))
  },
}

const clipHostAway: Trouble = {
  name: 'clip-host-away',
  uses: 'clips',
  isOutage: true,
  play: async (scene) => {
    const { rng, span, wait, product } = scene
    const ms = span(20, 60)
    if (product.clipHost && rng.below(2) === 0) {
      await product.clipHost.refuse()
      await wait(ms)
      return product.clipHost.open()
    }
    const action: Action = rng.pick([{ status: 503 }, { fault: 'reset' as const }])
    const ops = ['content', 'object'] as const
    const rules = ops.map((op) => ({ when: { op }, do: action }))
    return played(scene, 'clip-host-away', { rules, rank: 1 }, ms)
  },
}

const providerAway: Trouble = {
  name: 'provider-away',
  uses: 'provider',
  isOutage: true,
  play: async ({ product: { provider }, rng, span, wait }) => {
    if (rng.below(2) === 0) await provider.refuse()
    else await provider.hang()
    await wait(span(5, 60))
    await provider.open()
  },
}

/** How long a provider with a stand-in is away. */
export const AWAY_MS = STAND_IN_AFTER_MS + 60_000

/** A provider is away for so long that the other one stands in for it. */
const awayForLong = (which: 'provider' | 'second'): Trouble => ({
  name: which === 'provider' ? FIRST_AWAY : SECOND_AWAY,
  uses: 'provider',
  isOutage: true,
  isFirst: which === 'provider',
  isPossible: ({ product }) => product.second !== undefined,
  play: async ({ product, wait }) => {
    await product[which]?.refuse()
    await wait(AWAY_MS)
    await product[which]?.open()
  },
})

const REFUSALS: readonly { action: Action; times?: number }[] = [
  { action: { status: 429, retryAfter: 7 } },
  { action: { status: 429 } },
  { action: { status: 500 } },
  { action: { status: 503, retryAfter: 4 } },
  { action: { status: 502, html: true } },
  { action: { status: 403 }, times: 2 },
]

const refusals: Trouble = {
  name: 'refusals',
  uses: 'submits',
  isOutage: false,
  play: (scene) => {
    const { action, times } = scene.rng.pick(REFUSALS)
    const polls: Rule[] = action.status === 403 ? [] : [{ when: { op: 'poll' }, do: action }]
    const wish: Wish = {
      rules: [submits(action, times), ...polls],
      ...(times === undefined
        ? {}
        : { met: ({ op, status }) => op === 'submit' && status === 403 }),
    }
    return played(scene, 'refusals', wish, scene.span(8, 25))
  },
}

const deadToken: Trouble = {
  name: 'token-dead',
  uses: 'submits',
  isOutage: false,
  play: async (scene) => {
    const rules = [submits({ status: 401 }, 1)]
    const met: Wish['met'] = ({ op, status }) => op === 'submit' && status === 401
    await addToken(scene)
    await played(scene, 'token-dead', { rules, met }, scene.span(8, 20))
    await addToken(scene)
  },
}

/** Adds a pool token, as an operator does on seeing that a token is dead. */
async function addToken({ admin, wait }: Scene): Promise<void> {
  for (let left = 30; left > 0; left--) {
    const token = `pool-token-${randomUUID()}`
    // A soak may outlast the time for which a confirmed password is valid (decision 40).
    await admin.call('POST', '/api/auth/login', ADMIN).catch(() => null)
    const response = await admin
      .call('POST', '/api/admin/extra-tokens', { token })
      .catch(() => null)
    if (response?.status === 201) return
    await wait(1_000)
  }
}

const LOST: readonly Action[] = [
  { fault: 'drop-after-accept' },
  { fault: 'drop-before-accept' },
  { fault: 'half-json' },
  { fault: 'html' },
  { fault: 'reset' },
  { fault: 'hang' },
  { status: 500, after: 'accept' },
]

const lostResponses: Trouble = {
  name: 'lost-responses',
  uses: 'submits',
  isOutage: false,
  play: (scene) => {
    const action = scene.rng.pick(LOST)
    const since = Date.now()
    const met: Wish['met'] = ({ op, at, fault, status }) =>
      op === 'submit' && at >= since && (fault === (action.fault ?? null) || status === 500)
    const times = 2 + scene.rng.below(3)
    return played(
      scene,
      'lost-responses',
      { rules: [submits(action, times)], met },
      scene.span(10, 25),
    )
  },
}

/** No acceptance can be read: a line must not go on ordering, and paying, for nothing. */
const unreadable: Trouble = {
  name: 'unreadable-responses',
  uses: 'submits',
  // The line pauses until a probe shows that the gateway is well again.
  isOutage: true,
  play: (scene) =>
    played(
      scene,
      'unreadable-responses',
      { rules: [submits({ fault: 'half-json' })], rank: 1 },
      scene.span(20, 45),
    ),
}

const sameId: Trouble = {
  name: 'same-id',
  uses: 'submits',
  isOutage: false,
  play: (scene) => {
    const action: Action = { fault: 'same-id' }
    const met: Wish['met'] = ({ op, fault }) => op === 'submit' && fault === 'same-id'
    return played(scene, 'same-id', { rules: [submits(action, 2)], met }, scene.span(10, 20))
  },
}

const missingOnce: Trouble = {
  name: 'poll-404-once',
  uses: 'polls',
  isOutage: false,
  play: (scene) => {
    const rules: Rule[] = [{ when: { op: 'poll' }, do: { status: 404 }, times: 1 }]
    const met: Wish['met'] = ({ op, status }) => op === 'poll' && status === 404
    return played(scene, 'poll-404-once', { rules, met }, scene.span(8, 20))
  },
}

const corruptOnce: Trouble = {
  name: 'corrupt-once',
  uses: 'clips',
  isOutage: false,
  play: (scene) => {
    const rules: Rule[] = [{ when: { op: 'content' }, do: { fault: 'corrupt' }, times: 1 }]
    const met: Wish['met'] = ({ op, fault }) => op === 'content' && fault === 'corrupt'
    return played(scene, 'corrupt-once', { rules, met }, scene.span(8, 20))
  },
}

const PAUSES = ['0', '-1', '5, 5', 'past', 'soon'] as const

/** Gateways that speak the protocol in their own way. Nothing of it may cost a clip or an order. */
const GATEWAYS: readonly ((scene: Scene) => Wish)[] = [
  () => ({
    rules: [],
    strange: { words: { done: 'success', running: 'Dreaming' }, wrapped: true },
  }),
  () => ({
    rules: [],
    strange: { words: { done: 'FINISHED', failed: 'FAILURE' }, idAt: 'task_id' },
  }),
  () => ({ rules: [], strange: { words: { done: 'wrapped up', running: 'rehearsing' } } }),
  () => ({ rules: [], strange: { idAt: 'data.task_id', idAs: 'number' } }),
  () => ({ rules: [], strange: { idAt: 'data[0].id', encoding: 'gzip' } }),
  ({ rng }) => ({
    rules: [],
    strange: {
      label: rng.pick(['text/plain', 'application/json', 'text/html']),
      encoding: rng.pick(['br', 'deflate', 'deflate-raw'] as const),
    },
  }),
  ({ rng }) => {
    const busy: Action = { status: rng.pick([429, 503]) }
    const ops = ['submit', 'poll', 'content'] as const
    const rules = ops.map((op) => ({ when: { op }, do: busy }))
    return { rules, strange: { retryAfter: rng.pick(PAUSES) } }
  },
  ({ rng }) => {
    const strange = { errorsAs200: rng.pick(['plain', 'base_resp'] as const) }
    return { rules: [submits({ status: 429, message: 'Too many requests' })], strange }
  },
]

const strangeGateway: Trouble = {
  name: 'strange-gateway',
  uses: 'gateway',
  isOutage: false,
  isPossible: ({ options }) => options.setting.flavour !== 'vertex-veo',
  play: async (scene) => {
    const wish = scene.rng.pick(GATEWAYS)(scene)
    await played(scene, 'strange-gateway', { ...wish, rank: 6 }, scene.span(15, 45))
  },
}

export const PROVIDER_TROUBLES: readonly Trouble[] = [
  slowResponses,
  slowDownloads,
  clipHostAway,
  providerAway,
  awayForLong('provider'),
  awayForLong('second'),
  refusals,
  deadToken,
  lostResponses,
  unreadable,
  sameId,
  missingOnce,
  corruptOnce,
  strangeGateway,
]
