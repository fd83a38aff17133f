/** A video that is next in the line, and the token assigned to its user. */
export type Waiting = {
  videoId: string
  generation: number
  userId: string
  lane: number
  batchId: string | null
  ownCredentialId: string | null
}

export type Candidate = {
  id: string
  accountScope: string
  /** Whether the token has expired or was refused. */
  isDead: boolean
  /** Number of orders in progress with this token. */
  inFlight: number
}

/**
 * A gate that is closed for `waitMs`, and then lets `left` more orders through until one succeeds.
 */
export type Gate = {
  scope: string
  reason: string
  waitMs: number
  probeMs: number
  left: number
  /** Whether only a probe may pass. It closes the gate for `probeMs`. */
  isHalfOpen: boolean
}

/** How much longer than for others an account is closed to a video that it has refused. */
export type Refusal = { videoId: string; scope: string; waitMs: number }

/** Reasons for which dispatch waits for the token. For any other reason it tries another token. */
const WAITED_FOR = new Set(['rate-limited', 'busy'])

export type DispatchSituation = {
  waiting: readonly Waiting[]
  /** False for a provider without accounts. Every order is then sent under `fallbackScope`. */
  needsCredential: boolean
  fallbackScope: string
  credentials: readonly Candidate[]
  defaultId: string | null
  /** Least recently assigned first. */
  poolIds: readonly string[]
  gates: readonly Gate[]
  refusals: readonly Refusal[]
  /** Number of orders that each scope may still send in the current minute. */
  room: ReadonlyMap<string, number>
  perToken: number
}

export type Send = Waiting & { credentialId: string | null; accountScope: string }
export type Hold = { videoId: string; reason: string; waitMs: number }

export type Plan = {
  sends: Send[]
  holds: Hold[]
  /** Pool tokens to be assigned to users. */
  assignments: { userId: string; credentialId: string }[]
  /** Gates whose next probe is used by this plan. */
  probed: Gate[]
}

const NO_TOKEN_WAIT_MS = 30_000
const FULL_WAIT_MS = 5_000

/** Placeholder for the token of a provider without accounts. */
const NO_TOKEN = { id: '', isDead: false, inFlight: 0 } as const

type Obstacle = Omit<Hold, 'videoId'>
type Choice = { candidate: Candidate; assign: boolean } | { hold: Obstacle }

/**
 * State that changes while the plan is made: orders per token, probes of the gates, order of the
 * pool.
 */
type PlanState = {
  byId: Map<string, Candidate>
  gates: Map<string, Gate>
  /** By account and video. */
  refusals: Map<string, Refusal>
  room: Map<string, number>
  /** Tokens assigned in this plan, by user id. */
  given: Map<string, string>
  pool: string[]
}

/**
 * Decides for each waiting video which token it is sent with, or why it has to wait. The order of
 * preference is the user's own token, the platform's token, then the least recently assigned token
 * of the pool, which becomes the user's. A user whose token died gets a pool token before
 * the platform's token, and only one, however many of their videos wait.
 */
export function planDispatch(situation: DispatchSituation): Plan {
  const plan: Plan = { sends: [], holds: [], assignments: [], probed: [] }
  const state: PlanState = {
    byId: new Map(situation.credentials.map((candidate) => [candidate.id, { ...candidate }])),
    gates: new Map(situation.gates.map((gate) => [gate.scope, { ...gate }])),
    refusals: new Map(situation.refusals.map((one) => [`${one.scope} ${one.videoId}`, one])),
    room: new Map(situation.room),
    given: new Map(),
    pool: [...situation.poolIds],
  }
  for (const waiting of situation.waiting) {
    const choice = choose(situation, state, waiting)
    if ('hold' in choice) {
      plan.holds.push({ videoId: waiting.videoId, ...choice.hold })
      continue
    }
    const { candidate, assign } = choice
    if (assign) plan.assignments.push({ userId: waiting.userId, credentialId: candidate.id })
    const gate = state.gates.get(candidate.accountScope)
    if (gate?.isHalfOpen) plan.probed.push({ ...gate })
    use(state, waiting, choice)
    const credentialId = situation.needsCredential ? candidate.id : null
    plan.sends.push({ ...waiting, credentialId, accountScope: candidate.accountScope })
  }
  return plan
}

function choose(situation: DispatchSituation, state: PlanState, waiting: Waiting): Choice {
  const { userId, ownCredentialId } = waiting
  const { needsCredential, defaultId, fallbackScope } = situation
  if (!needsCredential) {
    const candidate = { ...NO_TOKEN, accountScope: fallbackScope }
    const hold = obstacle(situation, state, { ...candidate, ...waiting })
    return hold ? { hold } : { candidate, assign: false }
  }
  const living = (id: string | null | undefined) => {
    const candidate = id ? state.byId.get(id) : undefined
    return !candidate || candidate.isDead ? [] : [candidate]
  }
  const own = state.given.get(userId) ?? ownCredentialId
  const mine = living(own)
  const shared = living(defaultId)
  const pool = state.pool.flatMap(living)
  // The specification requires a dead token to be replaced permanently. The platform's token is
  // only a temporary substitute.
  const isReplaced = own !== null && state.byId.get(own)?.isDead === true
  const others = isReplaced ? [...pool, ...shared] : [...shared, ...pool]
  let soonest: Obstacle | undefined
  for (const candidate of [...mine, ...others]) {
    const hold = obstacle(situation, state, { ...candidate, ...waiting })
    if (!hold) return { candidate, assign: mine.length === 0 && !shared.includes(candidate) }
    // If the account is only busy, wait for it. Trying others would use up the pool at every peak.
    if (WAITED_FOR.has(hold.reason)) return { hold }
    if (!soonest || hold.waitMs < soonest.waitMs) soonest = hold
  }
  return { hold: soonest ?? { reason: 'token', waitMs: NO_TOKEN_WAIT_MS } }
}

/** Returns the reason why a token cannot be used for a video now, or undefined if it can. */
function obstacle(
  { needsCredential, perToken }: DispatchSituation,
  { gates, refusals, room }: PlanState,
  { accountScope, inFlight, videoId }: Candidate & Waiting,
): Obstacle | undefined {
  const gate = gates.get(accountScope)
  const refusal = refusals.get(`${accountScope} ${videoId}`)
  if (refusal) return { reason: gate?.reason ?? 'forbidden', waitMs: refusal.waitMs }
  if (gate && gate.waitMs > 0) return { reason: gate.reason, waitMs: gate.waitMs }
  if (gate && gate.left <= 0) return { reason: gate.reason, waitMs: Math.max(1, gate.probeMs) }
  const isFull = needsCredential && inFlight >= perToken
  const isSpent = (room.get(accountScope) ?? 1) <= 0
  return isFull || isSpent ? { reason: 'busy', waitMs: FULL_WAIT_MS } : undefined
}

type Chosen = Exclude<Choice, { hold: unknown }>

function use(state: PlanState, { userId }: Waiting, { candidate, assign }: Chosen): void {
  const { gates, room, given, pool } = state
  candidate.inFlight++
  const left = room.get(candidate.accountScope)
  if (left !== undefined) room.set(candidate.accountScope, left - 1)
  const gate = gates.get(candidate.accountScope)
  if (gate) gate.left--
  if (!assign) return
  given.set(userId, candidate.id)
  pool.push(...pool.splice(pool.indexOf(candidate.id), 1))
}
