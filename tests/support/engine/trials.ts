import { openRandom } from '../../simulator/scenario'

/**
 * Seed of all random choices in a test; CHAOS_SEED repeats a run. The names of the tests that use
 * rng include it, so that a failure shows how to reproduce it.
 */
export const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Whether this is the long run of the tests (npm run test:chaos). */
export const IS_LONG = process.env.CHAOS === 'long'

/** Many trials may take long on a busy machine. No test measures wall-clock time here. */
export const PATIENCE_MS = IS_LONG ? 3_600_000 : 900_000

const SCALE = Number(process.env.CHAOS_SCALE ?? 1)

/**
 * Returns how many trials to run: `short`, of which CHAOS_SCALE takes a part (a tenth in `npm test`,
 * three tenths in `npm run test:slow`, less for a quick look while working on a test), or `long` in the long run.
 */
export const trials = (short: number, long: number): number =>
  Math.max(1, Math.round((IS_LONG ? long : short) * SCALE))

/** Whether a part of the cases is enough: in `npm test`. */
export const IS_PART = SCALE < 0.5

/**
 * Returns a function that chooses the cases of a file's tests: all, or with a small CHAOS_SCALE one for
 * each test, in turn.
 */
export function takeTurns() {
  let turn = 0
  return <T>(all: readonly T[]): readonly T[] => {
    if (!IS_PART) return all
    const at = turn++ % all.length
    return all.slice(at, at + 1)
  }
}

export type Rng = {
  seed: number
  next: () => number
  /** Returns a whole number below `n`. */
  below: (n: number) => number
  pick: <T>(list: readonly T[]) => T
}

/** Returns the random numbers of one test, the same ones for the same seed. */
export function openRng(salt: number, seed = SEED): Rng {
  const next = openRandom((seed ^ Math.imul(salt, 0x9e3779b1)) >>> 0)
  const below = (n: number) => Math.floor(next() * n)
  return { seed, next, below, pick: (list) => list[below(list.length)]! }
}
