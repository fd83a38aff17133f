import { openRandom } from '../../simulator/scenario'

/**
 * Seed of everything random in a test: CHAOS_SEED repeats a run. It stands in the name of each test
 * that uses rng, so that a failure says how to see it again.
 */
export const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** The long form of the proofs (npm run test:chaos). */
export const IS_LONG = process.env.CHAOS === 'long'

/** Many trials take what they take on a busy machine; nothing here is measured by the clock on the wall. */
export const PATIENCE_MS = IS_LONG ? 3_600_000 : 900_000

const SCALE = Number(process.env.CHAOS_SCALE ?? 1)

/**
 * How often something is tried: in `npm test`, and in the long form. CHAOS_SCALE makes it less, for
 * a quick look while one works on a proof.
 */
export const trials = (short: number, long: number): number =>
  Math.max(1, Math.round((IS_LONG ? long : short) * SCALE))

export type Rng = {
  seed: number
  next: () => number
  /** A whole number below `n`. */
  below: (n: number) => number
  pick: <T>(list: readonly T[]) => T
}

/** Rng of one test, the same for the same seed. */
export function openRng(salt: number, seed = SEED): Rng {
  const next = openRandom((seed ^ Math.imul(salt, 0x9e3779b1)) >>> 0)
  const below = (n: number) => Math.floor(next() * n)
  return { seed, next, below, pick: (list) => list[below(list.length)]! }
}
