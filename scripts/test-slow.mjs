// `npm run test:slow`: what `npm test` leaves out: real processes that die, outages, every look of a page,
// more trials than `npm test`, a soak, lint. Its random choices differ in each run; CHAOS_SEED and
// SOAK_SEED repeat one.
import { randomInt } from 'node:crypto'
import { lint } from './lib/lint.mjs'
import { runTool } from './lib/tools.mjs'
import { browserPhase, runPhases, slowFiles, vitestPhase } from './lib/test-phases.mjs'

/**
 * Minutes with faults. With the start, and the time until all work has ended, the soak takes about
 * four.
 */
const SOAK_MINUTES = '2.5'
const SEEDS = 2 ** 31

const { CHAOS_SEED = String(randomInt(SEEDS)), SOAK_SEED = String(randomInt(SEEDS)) } = process.env
process.stdout.write(`CHAOS_SEED=${CHAOS_SEED} SOAK_SEED=${SOAK_SEED}\n`)
// With `npm test` it has to fit into 40 minutes of two cores. Every run draws other cases.
const { CHAOS_SCALE = '0.5' } = process.env
const slow = { TEST_SUITE: 'slow', CHAOS_SEED, CHAOS_SCALE }

await runPhases([
  {
    // The soak waits more than it computes, and its machine need not be quiet.
    title: 'Lint, processes and trials, and a soak of 4 minutes beside them',
    parts: [
      [{ title: 'lint', run: lint }, vitestPhase(await slowFiles(), slow)],
      {
        title: `soak (SOAK_SEED=${SOAK_SEED})`,
        run: () =>
          runTool('tsx', ['tests/soak/run.ts', '--minutes', SOAK_MINUTES, '--seed', SOAK_SEED]),
      },
    ],
  },
  { title: 'Browser', parts: [browserPhase(slow)] },
])
