// `npm start`: installs, builds and starts the product; a fresh clone is enough. Until the
// dependencies are installed only Node's own modules can be imported, so all others are imported
// where they are used.
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { prepareInstallation } from './lib/start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled } from './lib/state.mjs'

/** Clean-up steps, run at the end in reverse order. @type {(() => Promise<unknown>)[]} */
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
  const { env, settings } = await prepareInstallation(undo)
  // Web and worker end together, and no other web server could take over.
  env.DRAIN_SECONDS ??= '0'
  // Whoever starts it in a terminal looks for the address, not for a line per request.
  env.LOG_LEVEL ??= 'warn'
  const { supervise, WEB } = await import('./lib/supervisor.mjs')
  const supervisor = supervise({
    env,
    onFirstFailure: (name, code) => {
      console.error(`The ${name} process did not start (exit code ${code}); see the lines above.`)
      void stop(1)
    },
  })
  undo.push(() => supervisor.stop())
  await Promise.all([
    supervisor.start(WEB),
    supervisor.start({ name: 'worker', program: 'worker.js', heapMb: 256 }),
  ])
  const { BACKUP_DIR: folder, BACKUP_AT: at, BACKUP_KEEP: keep } = settings
  if (folder) {
    const { backUpNightly } = await import('./lib/nightly-backup.mjs')
    undo.push(backUpNightly({ folder, at, keep }))
  }
  console.log(`\n  ${settings.PRODUCT_NAME} is ready:  ${settings.APP_URL}\n`)
  console.log(`  What is left to set up:  ${settings.APP_URL}/admin/setup\n`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))
try {
  await main()
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  await stop(1)
}
