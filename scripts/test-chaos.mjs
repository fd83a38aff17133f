// `npm run test:chaos`: runs the engine's randomised tests in their long form, with ten to twenty
// times as many trials as `npm test`. CHAOS_SEED repeats a run; the titles of the tests contain the seed.
import path from 'node:path'
import { root } from './lib/root.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './lib/state.mjs'

/** All tests that run more trials in the long form. */
const PROOFS = ['tests/engine', 'tests/providers/timeouts.test.ts', 'tests/api/fuzz.test.ts']
/** The long form of one test may take an hour. */
const TEST_TIMEOUT_MS = 3_600_000

checkNode()
try {
  await ensureInstalled()
  await ensureBuilt()
  const args = ['run', ...PROOFS, `--testTimeout=${TEST_TIMEOUT_MS}`, ...process.argv.slice(2)]
  await run(path.join(root, 'node_modules/.bin/vitest'), args, {
    env: { ...process.env, CHAOS: 'long' },
    shown: true,
  })
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
