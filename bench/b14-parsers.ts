import { PARSINGS, type Parsing } from '../tests/support/parsers'
import { round } from './measure'

/** B14: how the time to parse untrusted input grows when its size doubles. */
export async function parsers(): Promise<{ most: number; slowest: Growth[] }> {
  const all: Growth[] = []
  for (const parsing of PARSINGS) all.push(await growthOf(parsing))
  all.sort((a, b) => b.ratio - a.ratio)
  return { most: all[0]?.ratio ?? 0, slowest: all.slice(0, 5) }
}

type Growth = { name: string; ratio: number; ms: number }

const SIZE = 100_000
/** So short a time is mostly the clock's and the collector's. */
const NOTHING_MS = 8
/** A collection of garbage in the long run and none in the short one is no growth. */
const TRIES = 5

/** The mean ratio of one doubling from n to 4n, the lowest of several tries: 2 is linear, 4 quadratic. */
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

/** Processor time of the shortest of several runs: what else the machine does is not in it. */
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
