// `npm run test:slow`: what `npm test` leaves out: real processes that die, outages, every look of a page,
// more trials than `npm test`, a soak, lint. Its random choices differ in each run; CHAOS_SEED and
// SOAK_SEED repeat one.
import { randomInt } from 'node:crypto'
import { lint } from './lib/lint.mjs'
import {
  browserPhase,
  runPhases,
  secondsOfTest,
  slowFiles,
  soakPhase,
  vitestPhase,
} from './lib/test-phases.mjs'

/**
 * Minutes with faults. With the start, and the time until all work has ended, the soak takes about
 * four.
 */
const SOAK_MINUTES = '2.5'
const SEEDS = 2 ** 31

const { CHAOS_SEED = String(randomInt(SEEDS)), SOAK_SEED = String(randomInt(SEEDS)) } = process.env
process.stdout.write(`CHAOS_SEED=${CHAOS_SEED} SOAK_SEED=${SOAK_SEED}\n`)
// With `npm test` it has to fit into 40 minutes of two cores. Every run draws other cases.
const { CHAOS_SCALE = '0.3' } = process.env
const slow = { TEST_SUITE: 'slow', CHAOS_SEED, CHAOS_SCALE }

/**
 * How many seconds `npm test`, lint, and what can be divided into parts take on a quiet machine of two cores,
 * and how many all may take.
 */
const [USUAL, LINT, DIVIDED, MOST] = [650, 200, 1400, 2400]

/**
 * Returns which part of the tests to run, such as 2/5. After an `npm test` that took much longer than usual
 * the whole would not fit: one part is drawn, another one in the next run.
 */
async function shardOf() {
  const { TEST_PART } = process.env
  if (TEST_PART !== undefined) return TEST_PART
  const seconds = (await secondsOfTest()) ?? USUAL
  const slowness = seconds / USUAL
  const left = MOST - seconds - LINT * slowness
  const parts = Math.ceil((DIVIDED * slowness) / Math.max(300, left))
  if (parts <= 1) return '1/1'
  const shard = `${1 + (Number(CHAOS_SEED) % parts)}/${parts}`
  process.stdout.write(
    `npm test took ${seconds} s, so this machine is slow: part ${shard} is run. All: TEST_PART=1/1\n`,
  )
  return shard
}

const shard = await shardOf()

await runPhases([
  {
    // The soak waits more than it computes, and its machine need not be quiet.
    title: 'Lint, processes and trials, and a soak of 4 minutes beside them',
    parts: [
      [{ title: 'lint', run: lint }, vitestPhase(await slowFiles(), slow, shard)],
      soakPhase(SOAK_MINUTES, SOAK_SEED),
    ],
  },
  { title: 'Browser', parts: [browserPhase(slow, shard)] },
])
