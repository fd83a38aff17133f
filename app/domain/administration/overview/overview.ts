/** Values of a kept count of times: element n (from 0) has those of at most 2^((n + 1)/4) seconds. */
const STEPS_PER_DOUBLING = 4

const secondsAt = (step: number): number => 2 ** (step / STEPS_PER_DOUBLING)

/**
 * Returns the time in seconds within which a share (0 to 1) of the counted ones lie, or null if none was
 * counted. It is off by at most a fifth: only steps are kept.
 */
export function timeWithin(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((sum, n) => sum + n, 0) * share
  let before = 0
  for (const [step, n] of counts.entries()) {
    if (n > 0 && before + n >= wanted) {
      const from = step === 0 ? 0 : secondsAt(step)
      return from + (secondsAt(step + 1) - from) * ((wanted - before) / n)
    }
    before += n
  }
  return null
}
