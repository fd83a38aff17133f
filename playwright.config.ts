import { defineConfig, devices } from '@playwright/test'
import type { BrowserOptions } from './tests/e2e/support/fixtures'

/**
 * Keeps Chromium from sending requests of its own, and from drawing by a graphics card that it has to
 * imitate. As root it cannot use its sandbox.
 */
const args = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
const executablePath = process.env.CHROMIUM_PATH

const PHONE_SPECS = '**/phone/*.spec.ts'

/** Matches tests by the names of their spec files. */
const specs = (...names: string[]) => new RegExp(`(^|[ /])(${names.join('|')})\\.spec\\.ts`)

/**
 * What `npm test` leaves to `npm run test:slow`: what other tests show over HTTP, and here only once more as
 * a user sees it, and what takes long.
 */
const SLOW = [
  specs(
    ...['accessibility', 'activity-log', 'admin-panel', 'batch-view', 'collections', 'confirm'],
    ...['films', 'helpers', 'installed', 'many-in-a-row', 'notifications', 'notifications-push'],
    ...['pasted-list', 'payments', 'pictures', 'reflow', 'renewals', 'second-factor', 'selection'],
    ...['slow-line', 'styles'],
    // They slow the processor down by burning its time.
    'phone/[^ ]*',
  ),
  /@slow\b/,
]

/** These look at pages: once in `npm test`, and in every look, with axe, in `npm run test:slow`. */
const LOOKS = /@looks\b/

const WITH_SCRIPTS_ONLY = [
  specs(
    ...['accessibility', 'admin-scripts', 'double-click', 'gallery-focus', 'installed'],
    ...['lost-connection', 'messages', 'late-dialogs', 'scripts', 'selection'],
  ),
  /@scripts\b/,
]
const WITHOUT_SCRIPTS_ONLY = /@no-scripts\b/

/** What `npm test` runs without scripts as well. Other pages are shown to work so by tests/http. */
const PLAIN = `(${specs('first-video', 'layout', 'public').source}|@plain\\b)`

type Choice = { grep?: RegExp | RegExp[]; grepInvert?: RegExp | RegExp[] }

/**
 * Returns which tests of a project the suite runs. `TEST_SUITE` is `quick` in `npm test` and `slow`
 * in `npm run test:slow`, which together run every test. Without it all tests of a project are run.
 */
function choose(project: 'js' | 'no-js' | 'phone'): Choice {
  const suite = process.env.TEST_SUITE
  const others = project === 'no-js' ? WITH_SCRIPTS_ONLY : [WITHOUT_SCRIPTS_ONLY]
  if (suite === 'quick')
    return {
      ...(project === 'no-js' && { grep: new RegExp(PLAIN) }),
      grepInvert: [...others, ...SLOW],
    }
  if (suite === 'slow') {
    const rest = project === 'no-js' ? new RegExp(`^(?!.*${PLAIN})`) : LOOKS
    return { grep: [...SLOW, rest], grepInvert: others }
  }
  return { grepInvert: others }
}

export default defineConfig<BrowserOptions>({
  testDir: 'tests/e2e',
  globalSetup: './tests/setup/e2e.ts',
  // Emptied at every start. The folder above it contains the results of the other phase.
  outputDir: 'test-results/e2e',
  // Every spec runs with scripts and without. Those in `phone` run on a slow phone.
  projects: [
    {
      name: 'js',
      testIgnore: PHONE_SPECS,
      use: { javaScriptEnabled: true },
      ...choose('js'),
    },
    {
      name: 'no-js',
      testIgnore: PHONE_SPECS,
      use: { javaScriptEnabled: false },
      ...choose('no-js'),
    },
    {
      name: 'phone',
      testMatch: PHONE_SPECS,
      use: { viewport: { width: 375, height: 720 }, hasTouch: true, isMobile: true, slowdown: 4 },
      ...choose('phone'),
    },
  ],
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: { args, ...(executablePath && { executablePath }) },
    trace: 'off',
    screenshot: 'only-on-failure',
    // A service worker would answer requests that a test intercepts. One spec is about it.
    serviceWorkers: 'block',
  },
  workers: 3,
  timeout: 180_000,
  // A test that would pass only on a second run has found a race, in the product or in itself.
  retries: 0,
  // What a test waits for may take this long on a machine with several times as many tests as processors.
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
})
