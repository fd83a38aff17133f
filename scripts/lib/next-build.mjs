// A build is made in a folder of its own and then put in its place, so that servers that run meanwhile
// miss no file: docs/decisions/0105-builds-beside-a-running-server.md.
import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'

/** As deep as the places of its files, so that the relative paths in source maps stay true. */
export const NEXT = path.join(root, 'build-next')
/** What browsers get. */
export const NEXT_ASSETS = path.join(NEXT, 'public')
/** Of so many builds browsers find their files, the newest among them. */
const BUILDS = 3
/** Lies beside the files for browsers and names those of each build, the newest first. Not served. */
const LISTS = '.builds.json'

/** Makes room for a build; what one that was broken off has left goes. */
export async function clearNext() {
  await fs.rm(NEXT, { recursive: true, force: true })
  await fs.mkdir(NEXT_ASSETS, { recursive: true })
}

/**
 * Puts a finished build in its place, file by file: at no moment is one missing that the build before has.
 * Its programs replace those of the build before. Its files for browsers, whose names change with their
 * bytes, come beside those of the builds before, of which the last two are kept.
 *
 * @param {{ next: string, programs: string, assets: string }} folders
 */
export async function putInPlace({ next, programs, assets }) {
  const names = await filesIn(path.join(next, 'public'))
  const before = await listsBefore(assets)
  const others = before.filter((list) => list.length > 0 && list.join() !== names.join())
  const lists = [names, ...others].slice(0, BUILDS)
  await fs.writeFile(path.join(next, 'public', LISTS), JSON.stringify(lists))
  // The files for browsers first: a server that starts in between finds its own.
  await moveInto(assets, path.join(next, 'public'))
  await fs.rm(path.join(next, 'public'), { recursive: true })
  const made = await filesIn(next)
  await moveInto(programs, next)
  await removeAllBut(made, programs)
  await removeAllBut([LISTS, ...lists.flat()], assets)
  await fs.rm(next, { recursive: true })
}

/**
 * A build that left no lists counts as one, with whatever is there.
 *
 * @param {string} assets @returns {Promise<string[][]>}
 */
async function listsBefore(assets) {
  const text = await fs.readFile(path.join(assets, LISTS), 'utf8').catch(() => undefined)
  return text === undefined ? [await filesIn(assets)] : JSON.parse(text)
}

/** @param {string} folder @returns {Promise<string[]>} every file in it or below, in order */
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
