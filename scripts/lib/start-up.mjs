// The checks that `npm start` and `npm run dev` share: settings, folder, port, database, in this
// order. Each reports a problem in one sentence.
import path from 'node:path'
import {
  aloneWithDatabase,
  installationSecrets,
  lockDataDir,
  openDataDir,
  StartError,
  supervisorOf,
  waitForCommands,
} from './data-dir.mjs'
import { root } from './root.mjs'

/**
 * Returns the environment without empty variables, which mean the same as none.
 *
 * @returns {NodeJS.ProcessEnv}
 */
function givenSettings() {
  const given = Object.entries(process.env).filter(([, value]) => value !== '')
  return { NODE_ENV: 'production', ...Object.fromEntries(given) }
}

/**
 * Prepares everything for web and worker, which use the embedded database as a user without the owner's
 * privileges. Appends clean-up steps to `undo`, to be run in reverse order. Throws StartError.
 *
 * @param {(() => Promise<unknown>)[]} undo
 */
export async function prepareInstallation(undo) {
  const env = givenSettings()
  const settings = await checkSettings(env)
  env.DATA_DIR = settings.DATA_DIR
  await openDataDir(settings.DATA_DIR)
  undo.push(await lockDataDir(settings.DATA_DIR))
  await refuseTakenPort(settings)
  const isEmbedded = !env.DATABASE_URL
  if (isEmbedded) {
    const { DATA_DIR: dataDir } = settings
    /** @type {(() => Promise<unknown>)[]} */
    const ours = []
    undo.push(() => aloneWithDatabase(dataDir, () => runAll(ours)))
    const database = await startDatabase(env, { dataDir, undo: ours })
    const { superviseDatabase } = await import('./supervise-database.mjs')
    undo.push(superviseDatabase(database))
  }
  await prepareDatabase(env)
  if (isEmbedded) {
    const { makePlainUser } = await import('./plain-user.mjs')
    env.DATABASE_URL = await makePlainUser(String(env.DATABASE_URL))
  }
  return { env, settings }
}

/** @param {(() => Promise<unknown>)[]} steps */
async function runAll(steps) {
  for (const step of steps) await step()
}

/**
 * Opens the installation like `openInstallation`, and migrates its database.
 *
 * @param {(() => Promise<unknown>)[]} undo
 */
export async function prepareDatabaseOnly(undo) {
  const installation = await openInstallation(undo)
  await prepareDatabase(installation.env)
  return installation
}

/**
 * Reads the settings and opens the folder and the database, without migrating it. If the product is
 * running, its database is used and left running. Otherwise commands run one after the other: the
 * database is started, and `undo` stops it unless the product runs by then. With `alone`, refuses a
 * folder on which the product runs, and prevents the product from starting until `undo` has run.
 * Throws StartError.
 *
 * @param {(() => Promise<unknown>)[]} undo
 * @param {{ alone?: boolean }} [options]
 */
export async function openInstallation(undo, { alone = false } = {}) {
  const env = givenSettings()
  const settings = await checkSettings(env)
  const { DATA_DIR: dataDir } = settings
  env.DATA_DIR = dataDir
  await openDataDir(dataDir)
  if (alone) undo.push(await lockDataDir(dataDir))
  if (env.DATABASE_URL) return { env, settings, place: 'the database of DATABASE_URL' }
  const isRunning = (await supervisorOf(dataDir)) !== undefined
  if (!isRunning) undo.push(await waitForCommands(dataDir))
  /** @type {(() => Promise<unknown>)[]} */
  const ours = []
  await startDatabase(env, { dataDir, undo: ours })
  undo.push(async () => {
    if (await supervisorOf(dataDir)) return
    // The product was stopped meanwhile, and another command may use the database.
    const letOthers = isRunning ? await waitForCommands(dataDir) : async () => undefined
    await aloneWithDatabase(dataDir, async () => {
      if (await supervisorOf(dataDir)) return
      await runAll(ours)
    })
    await letOthers()
  })
  return { env, settings, place: dataDir }
}

/**
 * Reads the settings and reports all problems at once, except for settings that the embedded database
 * provides.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export async function checkSettings(env) {
  // Built just before this runs, so the compiler cannot check the import.
  const { readSettings } = await import(path.join(root, 'build/settings.js'))
  const embedded = {
    DATABASE_URL: 'postgresql://embedded',
    SESSION_SECRET: 'made at the first start of the database',
    ENCRYPTION_KEY: 'made at the first start of the database',
  }
  const result = readSettings(env.DATABASE_URL ? env : { ...embedded, ...env })
  if (result.ok) return result.env
  const problems = result.problems.map((/** @type {string} */ problem) => `\n  - ${problem}`)
  throw new StartError(`The settings need attention:${problems.join('')}`)
}

/**
 * Starts the embedded database, and adds its address and secrets to `env`. Throws StartError.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {{ dataDir: string, undo: (() => Promise<unknown>)[] }} options
 */
const startDatabase = (env, options) =>
  aloneWithDatabase(options.dataDir, () => startDatabaseAlone(env, options))

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {{ dataDir: string, undo: (() => Promise<unknown>)[] }} options
 */
async function startDatabaseAlone(env, { dataDir, undo }) {
  const { ensureDatabase, startCluster } = await import('./postgres.mjs')
  const { postgresPassword, ...secrets } = await installationSecrets(dataDir)
  const options = {
    dir: path.join(dataDir, 'postgres'),
    password: postgresPassword,
    settings: { shared_buffers: '128MB', max_connections: '120' },
  }
  const cluster = await startCluster(options).catch((error) => {
    throw new StartError(error.message)
  })
  undo.push(() => cluster.stop())
  if (!cluster.dir.startsWith(dataDir)) {
    process.stdout.write(
      `The database is in ${cluster.dir}: PostgreSQL does not run as root, and no other user can enter ${dataDir}.\n`,
    )
  }
  Object.assign(env, {
    ...secrets,
    ...env,
    DATABASE_URL: await ensureDatabase(cluster, 'reelmill'),
  })
  const startAgain = () =>
    aloneWithDatabase(dataDir, () => startCluster({ ...options, port: cluster.port }))
  return { ...cluster, startAgain }
}

/** @param {NodeJS.ProcessEnv} env */
async function prepareDatabase(env) {
  const { migrate } = await import('./migrate.mjs')
  await migrate(env)
}

/**
 * Throws StartError if the port is taken, before anything else is started.
 *
 * @param {{ HOST: string, PORT: number }} settings
 */
async function refuseTakenPort({ HOST, PORT }) {
  const { createServer } = await import('node:net')
  const probe = createServer()
  await new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(PORT, HOST, () => resolve(undefined))
  }).catch((error) => {
    throw new StartError(
      error.code === 'EADDRINUSE'
        ? `Port ${PORT} on ${HOST} is taken. Stop what uses it, or set PORT to another one.`
        : `The web server cannot listen on ${HOST}:${PORT} (${error.code}).`,
    )
  })
  await new Promise((resolve) => probe.close(resolve))
}
