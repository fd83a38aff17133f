import { PARSINGS, type Parsing } from '../tests/support/parsers'
import { round } from './measure'

/** B14: measures how the time to parse untrusted input grows when its size doubles. */
export async function parsers(): Promise<{ most: number; slowest: Growth[] }> {
  const all: Growth[] = []
  for (const parsing of PARSINGS) all.push(await growthOf(parsing))
  all.sort((a, b) => b.ratio - a.ratio)
  return { most: all[0]?.ratio ?? 0, slowest: all.slice(0, 5) }
}

type Growth = { name: string; ratio: number; ms: number }

const SIZE = 100_000
/** Shorter times are mostly noise of the clock and of garbage collection. */
const NOTHING_MS = 8
/** Several tries, because a garbage collection in the long run alone would look like growth. */
const TRIES = 5

/**
 * Returns the mean ratio per doubling from n to 4n, the lowest of several tries: 2 is linear, 4
 * quadratic.
 */
async function growthOf({ name, read, make }: Parsing): Promise<Growth> {
  const [small, large] = [make(SIZE), make(4 * SIZE)]
  let least: Growth = { name, ratio: Infinity, ms: 0 }
  for (let i = 0; i < TRIES; i++) {
    const ms = await shortest(() => read(large))
    if (ms < NOTHING_MS) return { name, ratio: 1, ms: round(ms) }
    const ratio = round(Math.sqrt(ms / (await shortest(() => read(small)))))
    if (ratio < least.ratio) least = { name, ratio, ms: round(ms) }
  }
  return least
}

/** Returns the processor time of the shortest of three runs, in ms. It excludes other processes. */
async function shortest(run: () => unknown): Promise<number> {
  let best = Infinity
  for (let i = 0; i < 3; i++) {
    const from = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(from)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
