// A build is made in a separate folder and then moved into place, so that running servers miss no file:
// docs/decisions/0056-restarts-lose-no-request.md.
import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'

/**
 * The folder of a new build. It is at the same depth as the final folders, so that relative paths in
 * source maps stay valid.
 */
export const NEXT = path.join(root, 'build-next')
/** The files for browsers, where Remix puts them. */
export const NEXT_ASSETS = path.join(NEXT, 'client')
/** Number of builds whose files browsers can load, including the newest. */
const BUILDS = 3
/** Lists the files for browsers of each build, newest first. It is not served. */
const LISTS = '.builds.json'

/** Creates the folder for a new build and removes what an interrupted build left. */
export async function clearNext() {
  await fs.rm(NEXT, { recursive: true, force: true })
  await fs.mkdir(NEXT_ASSETS, { recursive: true })
}

/**
 * Moves a finished build into place, file by file, so that no file of the previous build is ever
 * missing. Replaces the programs. Adds the files for browsers, whose names contain a hash of their
 * bytes, to those of the last two builds, and removes those of older builds.
 *
 * @param {{ next: string, programs: string, assets: string }} folders
 */
export async function putInPlace({ next, programs, assets }) {
  const names = await filesIn(path.join(next, 'client'))
  const before = await listsBefore(assets)
  const others = before.filter((list) => list.length > 0 && list.join() !== names.join())
  const lists = [names, ...others].slice(0, BUILDS)
  await fs.writeFile(path.join(next, 'client', LISTS), JSON.stringify(lists))
  // Files for browsers first, so that a server that starts in between finds its own.
  await moveInto(assets, path.join(next, 'client'))
  await fs.rm(path.join(next, 'client'), { recursive: true })
  const made = await filesIn(next)
  await moveInto(programs, next)
  await removeAllBut(made, programs)
  await removeAllBut([LISTS, ...lists.flat()], assets)
  await fs.rm(next, { recursive: true })
}

/**
 * Returns the lists of previous builds. Without lists, all present files count as one build.
 *
 * @param {string} assets @returns {Promise<string[][]>}
 */
async function listsBefore(assets) {
  const text = await fs.readFile(path.join(assets, LISTS), 'utf8').catch(() => undefined)
  return text === undefined ? [await filesIn(assets)] : JSON.parse(text)
}

/** @param {string} folder @returns {Promise<string[]>} all files in it and below, sorted */
async function filesIn(folder) {
  const options = /** @type {const} */ ({ recursive: true, withFileTypes: true })
  const entries = await fs.readdir(folder, options).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

/** @param {string} target @param {string} source */
async function moveInto(target, source) {
  for (const name of await filesIn(source)) {
    const place = path.join(target, name)
    await fs.mkdir(path.dirname(place), { recursive: true })
    await fs.rename(path.join(source, name), place)
  }
}

/** @param {string[]} kept @param {string} folder */
async function removeAllBut(kept, folder) {
  for (const name of await filesIn(folder)) {
    if (!kept.includes(name)) await fs.rm(path.join(folder, name))
  }
}
