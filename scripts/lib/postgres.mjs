// The embedded PostgreSQL: real server binaries from npm, run through their own pg_ctl.
//
// It is started by pg_ctl, not as a child process: the server then outlives a killed parent, and
// the next start finds and adopts it. Nothing is downloaded and no system user is created.
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from './postgres-binaries.mjs'
import { clusterFolder, readPidFile, removeDeadLock, runningPort } from './postgres-folder.mjs'
import { NOBODY } from './postgres-nobody.mjs'

const run = promisify(execFile)

/** @typedef {{ url: string, port: number, dir: string, adopted: boolean, stop: (mode?: 'fast' | 'immediate') => Promise<void>, crash: () => Promise<void> }} Cluster */

/**
 * The ports that `freePort` returns. Systems give connections the ports above these, so no
 * connection takes one before the caller listens on it.
 */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_767]
const PORT_TRIES = 100

/** Returns a free TCP port on the loopback interface. Throws if it finds none. */
export async function freePort() {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port was found between ${FIRST_PORT} and ${LAST_PORT}`)
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  const server = net.createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** @param {string} url */
async function answers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Creates the cluster if there is none. It is created beside its final place and moved there when it is
 * complete, so that a killed first start leaves nothing that the next one would take for a database.
 *
 * @param {import('./postgres-binaries.mjs').Binaries} binaries @param {string} dir @param {string} password
 */
async function initialise({ native, ids }, dir, password) {
  if (await isThere(native, dir)) return
  const draft = `${dir}.new`
  await fs.rm(draft, { recursive: true, force: true })
  await fs.mkdir(draft, { recursive: true, mode: 0o700 })
  const passwordFile = path.join(dir, '..', `.pw-${process.pid}`)
  await fs.writeFile(passwordFile, password, { mode: 0o600 })
  if (ids.uid !== undefined) {
    await fs.chown(draft, NOBODY, NOBODY)
    await fs.chown(passwordFile, NOBODY, NOBODY)
  }
  try {
    await run(
      path.join(native, 'bin/initdb'),
      [
        ...['-D', draft, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        '--no-sync',
      ],
      { ...ids, cwd: '/' },
    )
    await fs.rm(dir, { recursive: true, force: true })
    await fs.rename(draft, dir)
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await fs.rm(passwordFile, { force: true })
  }
}

/**
 * Returns whether `dir` contains a cluster. Throws an Error with a sentence for the operator if another
 * major version created it.
 *
 * @param {string} native @param {string} dir
 */
async function isThere(native, dir) {
  const made = await fs.readFile(path.join(dir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (made === undefined) return false
  const { stdout } = await run(path.join(native, 'bin/postgres'), ['--version'])
  const brought = /\) (\d+)/.exec(stdout)?.[1]
  if (made.trim() === brought) return true
  throw new Error(
    `the database in ${dir} was made by PostgreSQL ${made.trim()}, and this version of the product brings ${brought}. Make a backup with the version that made it (npm run backup), and restore it into an empty DATA_DIR with this one (npm run restore)`,
  )
}

/**
 * Starts the cluster in `dir`, creating it if necessary, or adopts the server that already runs on it.
 * Rejects with an Error that contains PostgreSQL's message.
 *
 * @param {{ dir: string, password: string, settings?: Record<string, string>, port?: number }} options
 * @returns {Promise<Cluster>}
 */
export async function startCluster({ dir: wanted, password, settings = {}, port: wish }) {
  const { dir, keep } = await clusterFolder(wanted)
  const binaries = await findBinaries()
  /** @param {number} port */
  const urlAt = (port) =>
    `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`

  /** @param {string[]} args */
  const pgCtl = (args) =>
    run(path.join(binaries.native, 'bin/pg_ctl'), ['-D', dir, ...args], {
      ...binaries.ids,
      cwd: '/',
    })
  /** @param {number} port @param {boolean} adopted @returns {Cluster} */
  const cluster = (port, adopted) => ({
    url: urlAt(port),
    port,
    dir,
    adopted,
    stop: async (mode = 'fast') => {
      await pgCtl(['stop', '-w', '-t', '20', '-m', mode]).catch(async (error) => {
        if (await runningPort(dir)) throw error
      })
    },
    crash: async () => {
      const { pid } = await readPidFile(dir)
      if (pid) process.kill(pid, 'SIGKILL')
    },
  })

  const found = await runningPort(dir)
  if (found && (await answers(urlAt(found)))) return cluster(found, true)

  // Processes that use a killed server expect it back on its port, whoever starts it.
  const { port: before } = await readPidFile(dir)
  await removeDeadLock(dir)
  await initialise(binaries, dir, password)
  await keep()
  const port = wish ?? (before && (await isFree(before)) ? before : await freePort())
  const log = path.join(dir, 'server.log')
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    jit: 'off',
    ...settings,
  }
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`)
  await pgCtl([
    'start',
    '-w',
    '-t',
    '60',
    '-l',
    log,
    '-o',
    [`-p ${port}`, ...flags].join(' '),
  ]).catch(async (error) => {
    const tail = (await fs.readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-3)
    throw new Error(`PostgreSQL did not start: ${tail.join(' ') || error.message}`)
  })
  return cluster(port, false)
}

/**
 * Creates the database if there is none, and returns its address.
 *
 * @param {Cluster} cluster
 * @param {string} name
 */
export async function ensureDatabase(cluster, name) {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const url = new URL(cluster.url)
  url.pathname = `/${name}`
  return url.href
}
