// `npm run dev`: runs the product with live reload. The web server compiles its pages itself
// (lib/dev-web.mjs). This script rebuilds the other programs and restarts the worker after each build.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { StartError } from './lib/data-dir.mjs'
import { loadEnvFile } from './lib/env-file.mjs'
import { root } from './lib/root.mjs'
import { prepareInstallation } from './lib/start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled, forgetBuild } from './lib/state.mjs'

/** @type {(() => Promise<unknown>)[]} */
const undo = []

let isStopping = false

/** Once only: the web server gets the terminal's signal, too, and ends meanwhile. @param {number} code */
async function stop(code) {
  if (isStopping) return
  isStopping = true
  for (const step of undo.splice(0).reverse()) await step().catch(() => undefined)
  process.exit(code)
}

/** @param {NodeJS.ProcessEnv} env */
async function watchPrograms(env) {
  const { context } = await import('esbuild')
  const { programs } = await import('./lib/programs.mjs')
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let worker
  const restart = () => {
    worker?.kill()
    worker = spawn(process.execPath, ['--enable-source-maps', path.join(root, 'build/worker.js')], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }
  const watcher = await context({
    ...programs,
    plugins: [{ name: 'restart-worker', setup: (build) => build.onEnd(restart) }],
  })
  await watcher.watch()
  undo.push(async () => {
    await watcher.dispose()
    worker?.kill()
  })
}

/** @param {NodeJS.ProcessEnv} env */
function servePages(env) {
  const web = spawn(process.execPath, [path.join(root, 'scripts/lib/dev-web.mjs')], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  web.once('exit', (code) => void stop(code ?? 0))
  undo.push(async () => web.kill())
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))
checkNode()
await loadEnvFile()
process.env.NODE_ENV = 'development'
try {
  await ensureInstalled()
  await ensureBuilt()
  const { env } = await prepareInstallation(undo)
  await forgetBuild()
  await watchPrograms(env)
  servePages(env)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  await stop(1)
}
