import fs from 'node:fs'
import { defineConfig } from '@playwright/test'
import config from './playwright.config'
import type { BrowserOptions } from './tests/e2e/support/fixtures'

// The part of `npm run test:parts` that needs a Firefox: the main flows, with scripts and without,
// and the end-to-end suite with scripts. Without Firefox it is skipped with a message.

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
    // The tests find here what the browser has saved.
    downloadsPath: 'test-results/firefox-saved',
    firefoxUserPrefs: {
      // The setting above has no effect over WebDriver BiDi. This one of the browser has.
      'javascript.enabled': withScripts,
      // Firefox has no permissions for the clipboard that a test can grant. This lets pages read it.
      'dom.events.testing.asyncClipboard': true,
      // As with a mouse (fine 2, hover 4), which a server does not have.
      'ui.primaryPointerCapabilities': 6,
      'ui.allPointerCapabilities': 6,
      // The panel that shows a download would take the focus from the page.
      'browser.download.alwaysOpenPanel': false,
    },
  },
})

export default defineConfig<BrowserOptions>({
  ...config,
  testDir: 'tests/parts/firefox',
  outputDir: 'test-results/firefox',
  projects: executablePath
    ? [
        { name: 'firefox', use: firefox(true) },
        { name: 'firefox-no-js', use: firefox(false) },
        {
          name: 'firefox-e2e',
          testDir: 'tests/e2e',
          // A phone is emulated by Chromium only.
          testIgnore: '**/phone/**',
          grepInvert: /@no-scripts\b/,
          // The test of the second factor is done by keyboard, with many keys that each take a while.
          timeout: 360_000,
          // The window has the size of the one in Chromium.
          use: { ...firefox(true), viewport: { width: 1280, height: 720 } },
        },
      ]
    : [],
  // The options of the other configuration are for Chromium.
  // At the end of each test in Firefox a screenshot would add a style to the page, which its policy
  // blocks and reports.
  use: { screenshot: 'off' },
  workers: 1,
  reporter: 'list',
})
