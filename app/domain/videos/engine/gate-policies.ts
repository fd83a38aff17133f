import sql, { type Sql } from 'sql-template-tag'
import { hours, minutes, seconds } from '~/lib/time'
import type { GateReason, StorageTrouble } from '../types'

/**
 * What shows that the cause of a closed gate is gone, and how far the gate opens then:
 * - `acceptance`: accepted orders. It opens step by step.
 * - `clips`: stored clips. It opens step by step.
 * - `clip`: a stored clip. It opens at once. The waiting clips are tried again meanwhile.
 * - `waiting clip`: a clip that had to wait and is stored now. It opens at once, as it does after a
 *   look that finds nothing wrong. The probe is that clip, not an order, and costs nothing.
 */
type Evidence = 'acceptance' | 'clips' | 'clip' | 'waiting clip'

type Policy = {
  /** The first pause in milliseconds. Each strike doubles it. */
  first: number
  /** The longest pause. */
  most: number
  /** How long the gate stays closed for one probe. */
  probe: number
  proof: Evidence
}

const POLICIES: Record<GateReason | StorageTrouble, Policy> = {
  'rate-limited': {
    first: seconds(30),
    most: seconds(240),
    probe: seconds(10),
    proof: 'acceptance',
  },
  quota: { first: hours(1), most: hours(1), probe: hours(1), proof: 'acceptance' },
  forbidden: { first: minutes(1), most: minutes(5), probe: minutes(1), proof: 'acceptance' },
  'model-gone': { first: minutes(1), most: minutes(5), probe: minutes(1), proof: 'acceptance' },
  down: { first: seconds(5), most: seconds(12), probe: seconds(12), proof: 'acceptance' },
  token: { first: seconds(60), most: seconds(60), probe: seconds(60), proof: 'acceptance' },
  unreadable: { first: minutes(1), most: hours(24), probe: minutes(1), proof: 'acceptance' },
  'no-clips': { first: minutes(1), most: hours(24), probe: minutes(1), proof: 'clips' },
  clips: { first: minutes(5), most: minutes(30), probe: minutes(5), proof: 'clip' },
  space: { first: seconds(15), most: seconds(15), probe: seconds(5), proof: 'waiting clip' },
  // A storage that hangs fails only after about twenty seconds.
  storage: { first: seconds(5), most: seconds(60), probe: seconds(40), proof: 'waiting clip' },
}

const reasonsWith = (...proofs: Evidence[]): string[] =>
  Object.entries(POLICIES).flatMap(([reason, { proof }]) => (proofs.includes(proof) ? reason : []))

/** The reasons that an accepted order, and that a stored clip, may show to be gone. */
export const PROVEN_BY: { acceptance: readonly string[]; clip: readonly string[] } = {
  acceptance: reasonsWith('acceptance'),
  clip: reasonsWith('clips', 'clip', 'waiting clip'),
}
/** The reasons for which orders may have been paid for nothing, and each probe may be another one. */
export const FOR_NOTHING: readonly string[] = ['unreadable', 'no-clips'] satisfies GateReason[]

/** The orders of one incident that may be paid for nothing before only one a day follows. */
const MOST_FOR_NOTHING = 8

/** What the pause after a gate was closed depends on. */
export type Strikes = {
  strikes: Sql
  /** How many videos were paid for nothing when it was closed, and one more for each later strike. */
  forNothing: Sql
  /** Whether the gate is that of the whole line. It is closed after more such orders. */
  isLine: boolean
}

/**
 * Builds the pause after a gate was closed, in milliseconds. It doubles with each strike. Where probes
 * may be paid for nothing it grows faster, so that eight orders last for hours, and then it is the
 * longest at once.
 */
export const pauseAfter = (
  { reason, first, most }: Pick<GatePolicy, 'reason' | 'first' | 'most'>,
  { strikes, forNothing, isLine }: Strikes,
): Sql => {
  const isVain = FOR_NOTHING.includes(reason)
  const growth = isVain ? (isLine ? 8 : 4) : 2
  const pause = sql`least(${most}::float, ${first}::float * power(${growth}::float, least(${strikes}, 11) - 1))`
  return isVain
    ? sql`case when ${forNothing} >= ${MOST_FOR_NOTHING}::int then ${most}::float else ${pause} end`
    : pause
}

/** The reasons whose gates open at once. The others open step by step. */
export const OPEN_AT_ONCE: readonly string[] = reasonsWith('clip', 'waiting clip')

export type GatePolicy = Omit<Policy, 'proof'> & {
  reason: GateReason | StorageTrouble
  /** Whether waiting clips probe the gate, while nothing is ordered. */
  isProbedByClips: boolean
}

/** Returns the policy for a reason, in milliseconds. Those for the provider go by its time scale. */
export function policyFor(
  reason: GateReason | StorageTrouble,
  { providerTimeScale }: { providerTimeScale: number },
): GatePolicy {
  const { first, most, probe, proof } = POLICIES[reason]
  const isProbedByClips = proof === 'waiting clip'
  const scale = isProbedByClips ? 1 : providerTimeScale
  return { reason, first: first * scale, most: most * scale, probe: probe * scale, isProbedByClips }
}
