// `npm test`: runs all checks and tests; a fresh clone is enough. Prints the counts at the end, and
// exits with a non-zero code on any failure.
import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './lib/root.mjs'
import { run } from './lib/state.mjs'
import { runTests, runTool } from './lib/tools.mjs'

const RESULTS = path.join(root, 'test-results')

/** @param {string} title @param {() => Promise<unknown>} work */
async function phase(title, work) {
  process.stdout.write(`\n== ${title}\n`)
  const startedAt = Date.now()
  await work()
  process.stdout.write(`   ${title}: ${Math.round((Date.now() - startedAt) / 1000)} s\n`)
}

/**
 * Waits until all have ended, so that none is left running, then throws the first error.
 * @param {Promise<unknown>[]} works
 */
async function all(works) {
  const ends = await Promise.allSettled(works)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** @param {string} name */
const readResults = async (name) => JSON.parse(await fs.readFile(path.join(RESULTS, name), 'utf8'))

/**
 * Minutes with faults. With the start, and the time until all work has ended, the soak takes about
 * four.
 */
const SOAK_MINUTES = '2.5'

/**
 * The same faults in every run, so that a new failure is caused by a change. `npm run soak` tries
 * others.
 */
const SOAK_SEED = process.env.SOAK_SEED ?? '1'

await runTests(async () => {
  const { findChromium } = await import('./lib/chromium.mjs')
  const chromium = await findChromium()
  const { ensureJava } = await import('./lib/java.mjs')
  await ensureJava()
  await fs.rm(RESULTS, { recursive: true, force: true })

  // The soak waits more than it computes, and its machine need not be quiet.
  await phase('Types, lint, and a soak of 4 minutes', () =>
    all([
      runTool('tsc', ['--noEmit']),
      run('npm', ['run', '--silent', 'lint'], { env: process.env, shown: true }),
      runTool('tsx', ['tests/soak/run.ts', '--minutes', SOAK_MINUTES, '--seed', SOAK_SEED]),
    ]),
  )
  await phase('Unit and integration', () =>
    runTool('vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=test-results/vitest.json',
    ]),
  )
  await phase('Browser, scripts on and off', () =>
    runTool('playwright', ['test'], { ...process.env, CHROMIUM_PATH: chromium }),
  )

  const vitest = await readResults('vitest.json')
  const browser = (await readResults('e2e.json')).stats
  process.stdout.write(
    `\nAll passed: ${vitest.numPassedTests} unit and integration tests, ${browser.expected} browser tests` +
      `${vitest.numPendingTests + browser.skipped ? `; ${vitest.numPendingTests + browser.skipped} skipped` : ''}.\n`,
  )
})
