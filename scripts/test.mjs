// `npm test`: types, and all tests that a change has to pass before the next one; a fresh clone is
// enough. Ends with the failures, their reasons, and the counts. `npm run test:slow` runs the rest.
import { runTool } from './lib/tools.mjs'
import { browserPhase, runPhases, vitestPhase } from './lib/test-phases.mjs'

const quick = {
  TEST_SUITE: 'quick',
  // A tenth of the trials, and the same ones in every run, so that a new failure is caused by a change.
  CHAOS_SCALE: process.env.CHAOS_SCALE ?? '0.1',
  CHAOS_SEED: process.env.CHAOS_SEED ?? '1',
}

await runPhases(
  [
    {
      title: 'Types, unit and integration',
      parts: [{ title: 'types', run: () => runTool('tsc', ['--noEmit']) }, vitestPhase([], quick)],
    },
    // Not at the same time: it saves no time, and pages that wait for a processor fail.
    { title: 'Browser', parts: [browserPhase(quick)] },
  ],
  { notesTime: true },
)
