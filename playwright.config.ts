import { defineConfig, devices } from '@playwright/test'
import type { BrowserOptions } from './tests/e2e/support/fixtures'

/** Keeps Chromium from sending requests of its own. As root it cannot use its sandbox. */
const args = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
const executablePath = process.env.CHROMIUM_PATH

const PHONE_SPECS = '**/phone/*.spec.ts'

export default defineConfig<BrowserOptions>({
  testDir: 'tests/e2e',
  globalSetup: './tests/setup/e2e.ts',
  // Emptied at every start. The folder above it contains the results of the other phase.
  outputDir: 'test-results/e2e',
  // Every spec runs with scripts and without. Those in `phone` run on a slow phone.
  projects: [
    { name: 'js', testIgnore: PHONE_SPECS, use: { javaScriptEnabled: true } },
    { name: 'no-js', testIgnore: PHONE_SPECS, use: { javaScriptEnabled: false } },
    {
      name: 'phone',
      testMatch: PHONE_SPECS,
      use: { viewport: { width: 375, height: 720 }, hasTouch: true, isMobile: true, slowdown: 4 },
    },
  ],
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: { args, ...(executablePath && { executablePath }) },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  workers: 3,
  timeout: 180_000,
  // A test that passes only on its second run is reported as flaky, with a screenshot of the first:
  // such a test, or the race in the product that it found, has to be corrected.
  retries: 1,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
})
