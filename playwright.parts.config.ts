import fs from 'node:fs'
import { defineConfig } from '@playwright/test'
import config from './playwright.config'

// The part of `npm run test:parts` that needs a Firefox: the main flows, with scripts and without.
// Without Firefox it is skipped with a message.

const executablePath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((file) =>
  fs.existsSync(file),
)
if (!executablePath)
  process.stdout.write(
    'Skipped: the tests in Firefox. No Firefox is installed (apt-get install firefox-esr).\n',
  )

const firefox = (withScripts: boolean) => ({
  browserName: 'firefox' as const,
  channel: 'moz-firefox',
  viewport: { width: 1280, height: 800 },
  javaScriptEnabled: withScripts,
  launchOptions: {
    ...(executablePath && { executablePath }),
    // The setting above has no effect over WebDriver BiDi. This one of the browser has.
    firefoxUserPrefs: { 'javascript.enabled': withScripts },
  },
})

export default defineConfig({
  ...config,
  testDir: 'tests/parts/firefox',
  outputDir: 'test-results/firefox',
  projects: executablePath
    ? [
        { name: 'firefox', use: firefox(true) },
        { name: 'firefox-no-js', use: firefox(false) },
      ]
    : [],
  // The options of the other configuration are for Chromium.
  use: { screenshot: 'only-on-failure' },
  workers: 1,
  reporter: 'list',
})
