import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'

/**
 * Licences of packages whose own declaration is incomplete. The native builds of webcodecs declare MIT
 * but contain FFmpeg with x264 and x265 (docs/operations/licences.md).
 *
 * @type {[RegExp, string][]}
 */
const CORRECTED = [[/^@napi-rs\/webcodecs-/, 'GPL-3.0-or-later']]

/** Development dependencies of which parts are in the pages or style sheets. */
const BUILT_IN = ['lucide-react', 'tailwindcss']

/**
 * @typedef {object} Shipped
 * @property {string} path below the project
 * @property {string} name
 * @property {string} version
 * @property {string} license SPDX expression
 * @property {boolean} isForOneSystem true for a build for one kind of machine
 */

/** @returns {Promise<Record<string, any>>} the entries of the lock file by path, without the project */
export async function readLock() {
  const text = await fs.readFile(path.join(root, 'package-lock.json'), 'utf8')
  const { '': _project, ...packages } = JSON.parse(text).packages
  return packages
}

/** @returns {Promise<Shipped[]>} every package that is installed in production or built in, by name */
export async function shippedPackages() {
  const entries = Object.entries(await readLock()).map(([at, entry]) => ({
    path: at,
    name: at.split('node_modules/').at(-1) ?? at,
    ...entry,
  }))
  return entries
    .filter(({ dev, name }) => !dev || BUILT_IN.includes(name))
    .map(({ path, name, version, license, os, cpu }) => ({
      path,
      name,
      version,
      license: licenseOf(name, license),
      isForOneSystem: Boolean(os ?? cpu),
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** @param {string} name @param {string | undefined} declared */
export function licenseOf(name, declared) {
  return CORRECTED.find(([pattern]) => pattern.test(name))?.[1] ?? declared ?? 'not declared'
}
