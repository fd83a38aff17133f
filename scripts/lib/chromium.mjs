import fs from 'node:fs/promises'
import path from 'node:path'
import { canInstall, install, which } from './debian.mjs'

/**
 * Chromium without a window, which takes about half the processor time of the full one: as Debian
 * names its program, and its package.
 */
const SHELL = 'chromium-headless-shell'
const FULL = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The names of Playwright's own shell, by its version. */
const OWN_SHELLS = ['chrome-headless-shell', 'headless_shell']

/** @param {string} file */
const exists = async (file) => Boolean(await fs.stat(file).catch(() => undefined))

/**
 * Returns Playwright's own headless shell. It is beside the full Chromium, in a folder of the same
 * version.
 * @param {string} full
 * @returns {Promise<string | undefined>}
 */
async function ownShell(full) {
  const folder = path.dirname(path.dirname(full))
  const name = path.basename(folder).replace(/^chromium-/, 'chromium_headless_shell-')
  const version = path.join(path.dirname(folder), name)
  for (const inside of await fs.readdir(version).catch(() => []))
    for (const program of OWN_SHELLS) {
      const file = path.join(version, inside, program)
      if (await exists(file)) return file
    }
  return undefined
}

/** @param {readonly string[]} names */
async function firstOf(names) {
  for (const name of names) {
    const found = await which(name)
    if (found) return found
  }
  return undefined
}

async function installed() {
  const { chromium } = await import('playwright')
  const own = chromium.executablePath()
  return (
    (await ownShell(own)) ??
    (await firstOf([SHELL])) ??
    ((await exists(own)) ? own : await firstOf(FULL))
  )
}

/**
 * Returns the packages of Debian that are missing for the browser tests: one, or none. Needs no package
 * of npm, and so does not see Playwright's own browsers.
 */
export const missingChromium = async () => ((await firstOf([SHELL, ...FULL])) ? [] : [SHELL])

/**
 * Finds a Chromium for the browser tests: a headless shell, else a full one; of both first
 * Playwright's own. If there is none it installs the distribution's headless shell if run as root.
 * Throws an Error with instructions if there is none then.
 *
 * @returns {Promise<string>} its path
 */
export async function findChromium() {
  const found = await installed()
  if (found) return found
  if (await canInstall()) await install([SHELL])
  const now = await installed()
  if (now) return now
  throw new Error(
    `No Chromium was found for the browser tests. Install one (apt-get install ${SHELL}, or npx playwright install chromium) and run npm test again.`,
  )
}
