import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import { promisify } from 'node:util'
import { run } from './state.mjs'

const exec = promisify(execFile)
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/**
 * @param {string} name
 * @returns {Promise<string | undefined>} the program's path, if it is installed
 */
export async function which(name) {
  const found = await exec('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`]).catch(
    () => undefined,
  )
  return found?.stdout.trim() || undefined
}

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
  const canInstall = process.getuid?.() === 0 && (await which('apt-get'))
  if (canInstall) {
    process.stdout.write('Installing Chromium from the distribution …\n')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env })
    const now = await installed()
    if (now) return now
  }
  throw new Error(
    'No Chromium was found for the browser tests. Install one (apt-get install chromium, or npx playwright install chromium) and run npm test again.',
  )
}
