/** A video that is next in the line, and the token assigned to its user. */
export type Waiting = {
  videoId: string
  generation: number
  userId: string
  lane: number
  batchId: string | null
  ownCredentialId: string | null
  /** From which providers it may be ordered. */
  route: string
}

export type Candidate = {
  id: string
  accountScope: string
  /** The account that pays. Its gate and its pace count. */
  account: string
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
  /** Whether it was not closed by a failure, but opens step by step since a start. */
  isSlow: boolean
}

/** How much longer than for others an account is closed to a video that it has refused. */
export type Refusal = { videoId: string; scope: string; waitMs: number }

export type DispatchSituation = {
  waiting: readonly Waiting[]
  /** False for a provider without accounts. Every order is then sent under `fallbackScope`. */
  needsCredential: boolean
  fallbackScope: string
  credentials: readonly Candidate[]
  defaultId: string | null
  /** Least recently assigned first. */
  poolIds: readonly string[]
  /** Users' own tokens of the other providers. */
  elsewhereIds: readonly string[]
  /** The routes for which this provider only stands in. */
  guests: readonly string[]
  gates: readonly Gate[]
  refusals: readonly Refusal[]
  /** Number of orders that each account may still send in the current minute. */
  room: ReadonlyMap<string, number>
  perToken: number
}

export type Send = Waiting & { credentialId: string | null; accountScope: string }
export type Hold = { videoId: string; reason: string; waitMs: number }

export type Plan = {
  sends: Send[]
  holds: Hold[]
  /** Pool tokens to be assigned to users. */
  assignments: Assignment[]
  /** Gates whose next probe is used by this plan. */
  probed: Gate[]
}

/**
 * `passedIds` are tokens whose turn came earlier but which could not take this video: they had no
 * place, or their account is closed, if only to this video.
 */
export type Assignment = { userId: string; credentialId: string; passedIds: string[] }

const NO_TOKEN_WAIT_MS = 30_000
const FULL_WAIT_MS = 5_000

/** Placeholder for the token of a provider without accounts. */
const NO_TOKEN = { id: '', isDead: false, inFlight: 0 } as const

type Obstacle = Omit<Hold, 'videoId'>
type Choice = { candidate: Candidate; assign: boolean; passedIds: string[] } | { hold: Obstacle }

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
 * the platform's token, and only one, however many of their videos wait. A token whose account is
 * paused is passed over. While the user's own token or the platform's is only paused, or is one of another
 * provider, and where this provider only stands in, a pool token is lent for the one order and does not
 * become the user's.
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
    const { candidate, assign, passedIds } = choice
    const { userId } = waiting
    if (assign) plan.assignments.push({ userId, credentialId: candidate.id, passedIds })
    const gate = state.gates.get(candidate.account)
    if (gate?.isHalfOpen) plan.probed.push({ ...gate })
    use(state, waiting, choice)
    const credentialId = situation.needsCredential ? candidate.id : null
    plan.sends.push({ ...waiting, credentialId, accountScope: candidate.accountScope })
  }
  return plan
}

function choose(situation: DispatchSituation, state: PlanState, waiting: Waiting): Choice {
  const { userId, ownCredentialId, route } = waiting
  const { needsCredential, defaultId, fallbackScope, elsewhereIds, guests } = situation
  if (!needsCredential) {
    const candidate = { ...NO_TOKEN, accountScope: fallbackScope, account: fallbackScope }
    const hold = obstacle(situation, state, { ...candidate, ...waiting })
    return hold ? { hold } : { candidate, assign: false, passedIds: [] }
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
  const isElsewhere = guests.includes(route) || (own !== null && elsewhereIds.includes(own))
  const isLent = isElsewhere || mine.length > 0 || (shared.length > 0 && !isReplaced)
  const spare = isLent ? [...pool].sort((a, b) => a.inFlight - b.inFlight) : pool
  const others = isReplaced ? [...spare, ...shared] : [...shared, ...spare]
  let soonest: Obstacle | undefined
  const passedIds: string[] = []
  for (const candidate of [...mine, ...others]) {
    const isFromPool = !mine.includes(candidate) && !shared.includes(candidate)
    const hold = obstacle(situation, state, { ...candidate, ...waiting })
    if (!hold) return { candidate, assign: isFromPool && !isLent, passedIds }
    // The user's own token and the platform's are waited for while they only have no free place.
    // Otherwise the pool would be used up at every peak.
    if (hold.reason === 'busy' && !isFromPool) return { hold }
    passedIds.push(candidate.id)
    if (!soonest || hold.waitMs < soonest.waitMs) soonest = hold
  }
  return { hold: soonest ?? { reason: 'token', waitMs: NO_TOKEN_WAIT_MS } }
}

/** Returns the reason why a token cannot be used for a video now, or undefined if it can. */
function obstacle(
  { needsCredential, perToken }: DispatchSituation,
  { gates, refusals, room }: PlanState,
  { account, inFlight, videoId }: Candidate & Waiting,
): Obstacle | undefined {
  const gate = gates.get(account)
  const refusal = refusals.get(`${account} ${videoId}`)
  if (refusal) return { reason: gate?.reason ?? 'forbidden', waitMs: refusal.waitMs }
  if (gate && gate.waitMs > 0) return { reason: gate.reason, waitMs: gate.waitMs }
  if (gate && gate.left <= 0) return { reason: gate.reason, waitMs: Math.max(1, gate.probeMs) }
  const isFull = needsCredential && inFlight >= perToken
  const isSpent = (room.get(account) ?? 1) <= 0
  return isFull || isSpent ? { reason: 'busy', waitMs: FULL_WAIT_MS } : undefined
}

type Chosen = Exclude<Choice, { hold: unknown }>

function use(state: PlanState, { userId }: Waiting, { candidate, assign }: Chosen): void {
  const { gates, room, given, pool } = state
  candidate.inFlight++
  const left = room.get(candidate.account)
  if (left !== undefined) room.set(candidate.account, left - 1)
  const gate = gates.get(candidate.account)
  if (gate) gate.left--
  if (!assign) return
  given.set(userId, candidate.id)
  pool.push(...pool.splice(pool.indexOf(candidate.id), 1))
}
