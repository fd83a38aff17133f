// `npm run test:chaos`: runs the engine's randomised tests in their long form, with ten to twenty
// times as many trials as `npm test`. CHAOS_SEED repeats a run; the titles of the tests contain the seed.
import { runTests, runTool } from './lib/tools.mjs'

/** All tests that run more trials in the long form. */
const PROOFS = [
  'tests/engine',
  'tests/providers/timeouts.trials.test.ts',
  'tests/http/fuzz.trials.test.ts',
]
/** The long form of one test may take an hour. */
const TEST_TIMEOUT_MS = 3_600_000

await runTests(() =>
  runTool(
    'vitest',
    ['run', ...PROOFS, `--testTimeout=${TEST_TIMEOUT_MS}`, ...process.argv.slice(2)],
    { ...process.env, CHAOS: 'long' },
  ),
)
