/** A video that is next in the line, and the token its orderer holds. */
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
  isUsable: boolean
  /** Expired or refused: it never comes back by itself, as a cooling one does. */
  isDead: boolean
  /** Orders under way with it. */
  inFlight: number
}

/** A closed way to the provider; with `waitMs` over it lets one probe through. */
export type Gate = { scope: string; reason: string; waitMs: number; probeMs: number }

/** Why an order cannot go out now. Busy ways are waited for, broken ones are gone around. */
const WAITED_FOR = new Set(['rate-limited', 'busy'])

export type Situation = {
  waiting: readonly Waiting[]
  /** False for a provider without accounts: every order goes out under `fallbackScope`. */
  needsCredential: boolean
  fallbackScope: string
  credentials: readonly Candidate[]
  defaultId: string | null
  /** Usable first: longest not assigned. */
  poolIds: readonly string[]
  gates: readonly Gate[]
  /** Orders that each scope still takes this minute. */
  room: ReadonlyMap<string, number>
  perToken: number
}

export type Send = Waiting & { credentialId: string | null; accountScope: string }
export type Hold = { videoId: string; reason: string; waitMs: number }

export type Plan = {
  sends: Send[]
  holds: Hold[]
  /** Pool tokens that become users' own. */
  assignments: { userId: string; credentialId: string }[]
  /** Gates whose next probe this plan uses. */
  probed: Gate[]
}

const NO_TOKEN_WAIT_MS = 30_000
const FULL_WAIT_MS = 5_000

/** What an order goes out with where there are no accounts. */
const NOBODYS = { id: '', isUsable: true, isDead: false, inFlight: 0 } as const

type Obstacle = Omit<Hold, 'videoId'>
type Choice = { candidate: Candidate; assign: boolean } | { hold: Obstacle }

/** What changes while a plan is made: tokens fill up, gates let their probe through, the pool turns. */
type Ledger = {
  byId: Map<string, Candidate>
  gates: Map<string, Gate>
  room: Map<string, number>
  /** Users who got a token in this plan. */
  given: Map<string, string>
  pool: string[]
}

/**
 * Decides for each waiting video which token it goes out with, or why it waits: own token, else the
 * platform's, else the pool's longest unassigned one, which then becomes the user's. Who had a
 * token that died gets the pool's before the platform's, and exactly one, however many videos wait.
 */
export function planDispatch(situation: Situation): Plan {
  const plan: Plan = { sends: [], holds: [], assignments: [], probed: [] }
  const ledger: Ledger = {
    byId: new Map(situation.credentials.map((candidate) => [candidate.id, { ...candidate }])),
    gates: new Map(situation.gates.map((gate) => [gate.scope, { ...gate }])),
    room: new Map(situation.room),
    given: new Map(),
    pool: [...situation.poolIds],
  }
  for (const waiting of situation.waiting) {
    const choice = choose(situation, ledger, waiting)
    if ('hold' in choice) {
      plan.holds.push({ videoId: waiting.videoId, ...choice.hold })
      continue
    }
    const { candidate, assign } = choice
    if (assign) plan.assignments.push({ userId: waiting.userId, credentialId: candidate.id })
    const gate = ledger.gates.get(candidate.accountScope)
    if (gate) plan.probed.push({ ...gate })
    use(ledger, waiting, choice)
    const credentialId = situation.needsCredential ? candidate.id : null
    plan.sends.push({ ...waiting, credentialId, accountScope: candidate.accountScope })
  }
  return plan
}

function choose(
  situation: Situation,
  ledger: Ledger,
  { userId, ownCredentialId }: Waiting,
): Choice {
  const { needsCredential, defaultId, fallbackScope } = situation
  if (!needsCredential) {
    const candidate = { ...NOBODYS, accountScope: fallbackScope }
    const hold = obstacle(situation, ledger, candidate)
    return hold ? { hold } : { candidate, assign: false }
  }
  const usable = (id: string | null | undefined) => {
    const candidate = id ? ledger.byId.get(id) : undefined
    return candidate?.isUsable ? [candidate] : []
  }
  const own = ledger.given.get(userId) ?? ownCredentialId
  const mine = usable(own)
  const shared = usable(defaultId)
  const pool = ledger.pool.flatMap(usable)
  // A dead token is replaced for good, as the specification has it; the platform's only helps out.
  const isReplaced = own !== null && ledger.byId.get(own)?.isDead === true
  const others = isReplaced ? [...pool, ...shared] : [...shared, ...pool]
  let soonest: Obstacle | undefined
  for (const candidate of [...mine, ...others]) {
    const hold = obstacle(situation, ledger, candidate)
    if (!hold) return { candidate, assign: mine.length === 0 && !shared.includes(candidate) }
    // A busy account is waited for; going around it would spend the pool on every rush hour.
    if (WAITED_FOR.has(hold.reason)) return { hold }
    if (!soonest || hold.waitMs < soonest.waitMs) soonest = hold
  }
  return { hold: soonest ?? { reason: 'token', waitMs: NO_TOKEN_WAIT_MS } }
}

/** What keeps a token from being used now; undefined when nothing does. */
function obstacle(
  { needsCredential, perToken }: Situation,
  { gates, room }: Ledger,
  { accountScope, inFlight }: Candidate,
): Obstacle | undefined {
  const gate = gates.get(accountScope)
  if (gate && gate.waitMs > 0) return { reason: gate.reason, waitMs: gate.waitMs }
  const isFull = needsCredential && inFlight >= perToken
  const isSpent = (room.get(accountScope) ?? 1) <= 0
  return isFull || isSpent ? { reason: 'busy', waitMs: FULL_WAIT_MS } : undefined
}

type Chosen = Exclude<Choice, { hold: unknown }>

function use(ledger: Ledger, { userId }: Waiting, { candidate, assign }: Chosen): void {
  const { gates, room, given, pool } = ledger
  candidate.inFlight++
  const left = room.get(candidate.accountScope)
  if (left !== undefined) room.set(candidate.accountScope, left - 1)
  // One probe at a time until something succeeds.
  const gate = gates.get(candidate.accountScope)
  if (gate) gate.waitMs = gate.probeMs
  if (!assign) return
  given.set(userId, candidate.id)
  pool.push(...pool.splice(pool.indexOf(candidate.id), 1))
}
