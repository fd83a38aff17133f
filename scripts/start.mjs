// `npm start`: from a fresh clone to a working address. Until the dependencies are installed only
// Node itself can be imported, so everything else is imported when its turn comes.
import path from 'node:path'
import { installationSecrets, lockDataDir, openDataDir, StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { root } from './lib/root.mjs'
import { checkNode, ensureBuilt, ensureInstalled } from './lib/state.mjs'

/** What has to be undone at the end, last first. @type {(() => Promise<unknown>)[]} */
const undo = []
let isStopping = false

/** @param {number} code */
async function stop(code) {
  if (isStopping) return
  isStopping = true
  for (const step of undo.reverse()) await step().catch((error) => console.error(error.message))
  process.exit(code)
}

async function main() {
  checkNode()
  await loadEnvFile()
  await ensureInstalled()
  await ensureBuilt()

  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'production' }
  const settings = await checkSettings(env)
  env.DATA_DIR = settings.DATA_DIR
  await openDataDir(settings.DATA_DIR)
  undo.push(await lockDataDir(settings.DATA_DIR))
  await refuseTakenPort(settings)
  if (!env.DATABASE_URL) await startDatabase(env, settings.DATA_DIR)
  await prepareDatabase(env)

  const { supervise } = await import('./lib/supervisor.mjs')
  const supervisor = supervise({
    env,
    onFirstFailure: (name, code) => {
      console.error(`The ${name} process did not start (exit code ${code}); see the lines above.`)
      void stop(1)
    },
  })
  undo.push(() => supervisor.stop())
  await Promise.all([
    supervisor.start({ name: 'web', program: 'server.js', heapMb: 256 }),
    supervisor.start({ name: 'worker', program: 'worker.js', heapMb: 256 }),
  ])
  console.log(`\n  ${settings.PRODUCT_NAME} is ready:  ${settings.APP_URL}\n`)
}

/**
 * Reads the settings, every problem at once. What the embedded database brings is not missed.
 *
 * @param {NodeJS.ProcessEnv} env
 */
async function checkSettings(env) {
  // Built just before, so there is nothing for the compiler to look at.
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
 * @param {NodeJS.ProcessEnv} env gets the address and the secrets of the embedded database
 * @param {string} dataDir
 */
async function startDatabase(env, dataDir) {
  const { ensureDatabase, startCluster } = await import('./lib/postgres.mjs')
  const { postgresPassword, ...secrets } = await installationSecrets(dataDir)
  const cluster = await startCluster({
    dir: path.join(dataDir, 'postgres'),
    password: postgresPassword,
    settings: { shared_buffers: '128MB', max_connections: '120' },
  }).catch((error) => {
    throw new StartError(error.message)
  })
  undo.push(() => cluster.stop())
  Object.assign(env, {
    ...secrets,
    ...env,
    DATABASE_URL: await ensureDatabase(cluster, 'reelmill'),
  })
}

/** @param {NodeJS.ProcessEnv} env */
async function prepareDatabase(env) {
  const { migrate } = await import('./lib/migrate.mjs')
  try {
    await migrate(env)
  } catch (error) {
    const why =
      error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)
    throw new StartError(`The database refused: ${why}`)
  }
}

/** @param {{ HOST: string, PORT: number }} settings says so before anything is started for nothing */
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

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))
try {
  await main()
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  await stop(1)
}
