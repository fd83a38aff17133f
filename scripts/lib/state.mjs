// The steps before `npm start` and `npm test` can run anything: dependencies, database client,
// build. Each step is skipped if its inputs have not changed since it last succeeded.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { waitForLock } from './lock.mjs'
import { root } from './root.mjs'

const MARKS = path.join(root, 'node_modules/.reelmill')
const BUILT_FROM = [
  'app',
  'jobs',
  'renderer',
  'public/enhance.js',
  'prisma/schema.prisma',
  'server.ts',
  'remix.config.js',
  'vite.config.ts',
  'tailwind.config.ts',
  'tsconfig.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/check-client-bundle.mjs',
  'scripts/lib/next-build.mjs',
  'scripts/lib/programs.mjs',
]

/** @param {string} file @returns {Promise<string[]>} every file at or below it */
async function filesBelow(file) {
  const stat = await fs.stat(path.join(root, file)).catch(() => undefined)
  if (!stat) return []
  if (!stat.isDirectory()) return [file]
  const names = await fs.readdir(path.join(root, file))
  return (await Promise.all(names.sort().map((name) => filesBelow(`${file}/${name}`)))).flat()
}

/** @param {string[]} sources @returns {Promise<string>} fingerprint of their names and bytes */
async function fingerprint(sources) {
  const hash = createHash('sha256').update(process.version)
  const files = (await Promise.all(sources.map(filesBelow))).flat()
  for (const file of files) {
    if (/\.test\.tsx?$/.test(file)) continue
    hash.update(`\0${file}\0`).update(await fs.readFile(path.join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * Waits while another process installs or builds. Returns a function that lets the next one go on.
 *
 * @param {(pid: number) => void} [onWait]
 */
export const waitToPrepare = (onWait) => waitForLock(path.join(root, '.preparing.pid'), onWait)

/** @typedef {{ name: string, sources: string[], result: string }} Product what a step makes */

/**
 * Returns whether the step has succeeded for the same sources before and its result still exists.
 *
 * @param {Product} product @param {string} wanted the fingerprint of the sources
 */
async function isMade({ name, result }, wanted) {
  const made = await fs.readFile(path.join(MARKS, name), 'utf8').catch(() => '')
  const exists = await fs.stat(path.join(root, result)).catch(() => undefined)
  return made === wanted && exists !== undefined
}

/**
 * Runs `work` unless its product is made already.
 *
 * @param {Product} product @param {string} say @param {() => Promise<void>} work
 */
async function once(product, say, work) {
  const wanted = await fingerprint(product.sources)
  if (await isMade(product, wanted)) return
  process.stdout.write(`${say}\n`)
  await work()
  await note(product.name, wanted)
}

/** @param {string} name @param {string} wanted */
async function note(name, wanted) {
  await fs.mkdir(MARKS, { recursive: true })
  await fs.writeFile(path.join(MARKS, name), wanted)
}

/** @type {Map<import('node:child_process').ChildProcess, Promise<unknown>>} */
const runs = new Map()

/**
 * Sends a signal to the programs that `run` has started, and waits for their ends.
 *
 * @param {NodeJS.Signals} signal
 */
export async function stopRuns(signal) {
  for (const child of runs.keys()) child.kill(signal)
  await Promise.allSettled(runs.values())
}

/**
 * Runs a program. If it fails, rejects with its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, shown?: boolean }} [options]
 */
export async function run(command, args, { env = process.env, shown = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: shown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += text))
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  runs.set(child, ended)
  const code = await ended.finally(() => runs.delete(child))
  if (code !== 0) {
    throw new Error(
      `${[command, ...args].join(' ')} failed${printed ? `:\n${printed.trim()}` : ''}`,
    )
  }
}

/** Exits the process with one sentence if Node is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  process.stderr.write(`Reelmill needs Node 20.19 or newer; this is ${process.version}.\n`)
  process.exit(1)
}

/**
 * Installs the locked dependencies if any of them is missing or has another version.
 * @param {{ keepsStale?: boolean }} [options] keepsStale: for commands that may run while web and
 *   worker use the packages, which then must not be replaced.
 */
export async function ensureInstalled({ keepsStale = false } = {}) {
  const wanted = await readLock('package-lock.json')
  // An image contains the installed packages but no lock file.
  if (!wanted) return
  const isEnough = async () => {
    const installed = await readLock('node_modules/.package-lock.json')
    return installed !== undefined && (keepsStale || isInstalled(wanted, installed))
  }
  if (await isEnough()) return
  process.stdout.write('Installing dependencies …\n')
  const letOthers = await waitToPrepare()
  try {
    // `--include=dev` also with NODE_ENV=production: the build needs development dependencies.
    if (!(await isEnough())) await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'])
  } finally {
    await letOthers()
  }
}

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean }>} Packages */

/** @param {string} file @returns {Promise<Packages | undefined>} undefined if it cannot be read */
const readLock = (file) =>
  fs
    .readFile(path.join(root, file), 'utf8')
    .then((text) => JSON.parse(text).packages)
    .catch(() => undefined)

/**
 * npm writes its own list of what it has installed, as its last step. The list lacks the optional
 * packages for other platforms.
 *
 * @param {Packages} wanted @param {Packages} installed
 */
const isInstalled = (wanted, installed) =>
  Object.entries(wanted).every(([name, entry]) => {
    const found = installed[name]
    // The project itself is '' in its lock file.
    if (!found) return name === '' || entry.optional === true
    return found.version === entry.version && found.integrity === entry.integrity
  })

/**
 * Forces the next start to build again, because the programs are about to be overwritten.
 */
export const forgetBuild = () => fs.rm(path.join(MARKS, 'built'), { force: true })

/**
 * For a manual build: takes a fingerprint of the current sources and returns a function that
 * records, at the end, that they are built. Otherwise the next start, and the test of it, would build
 * again while other processes use the result.
 */
export async function beginBuild() {
  const wanted = await fingerprint(BUILT_FROM)
  return () => note('built', wanted)
}

/** Generates the database client if the schema or the packages have changed. */
export const ensureClient = () =>
  once(
    {
      name: 'generated',
      sources: ['prisma/schema.prisma', 'package-lock.json'],
      result: 'node_modules/.prisma/client/index.js',
    },
    'Generating the database client …',
    () => run(process.execPath, ['scripts/prisma.mjs', 'generate']),
  )

const BUILD = { name: 'built', sources: BUILT_FROM, result: 'build/server.js' }

/** Returns whether the programs are built from the current sources. */
export const isBuilt = async () => isMade(BUILD, await fingerprint(BUILT_FROM))

/** Builds the programs, with the database client, if their sources have changed. */
export async function ensureBuilt() {
  // An image contains the build but no sources.
  if (!(await fs.stat(path.join(root, 'app')).catch(() => undefined))) return
  await once(BUILD, 'Building …', () => run(process.execPath, ['scripts/build.mjs']))
}
