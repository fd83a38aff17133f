import fs from 'node:fs/promises'
import { canInstall, install, which } from './debian.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

async function installed() {
  const { chromium } = await import('playwright')
  const own = chromium.executablePath()
  if (await fs.stat(own).catch(() => undefined)) return own
  for (const name of NAMES) {
    const found = await which(name)
    if (found) return found
  }
  return undefined
}

/**
 * Finds a Chromium for the browser tests: Playwright's own, else the distribution's, which it
 * installs if run as root. Throws an Error with instructions if there is none.
 */
export async function findChromium() {
  const found = await installed()
  if (found) return found
  if (await canInstall()) await install(['chromium'])
  const now = await installed()
  if (now) return now
  throw new Error(
    'No Chromium was found for the browser tests. Install one (apt-get install chromium, or npx playwright install chromium) and run npm test again.',
  )
}
