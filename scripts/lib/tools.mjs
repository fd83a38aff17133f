import path from 'node:path'
import { reasonOf } from './reason.mjs'
import { root } from './root.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run, stopRuns } from './state.mjs'

/** Exit code after Ctrl-C, as in shells. */
const INTERRUPTED = 130

/**
 * Runs a program of the installed packages and shows its output. Rejects if it fails.
 *
 * @param {string} bin @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 */
export const runTool = (bin, args, env = process.env) =>
  run(path.join(root, 'node_modules/.bin', bin), args, { env, shown: true })

/**
 * Installs and builds, then tests. After an error prints its message, and exits with code 1. After a
 * signal the programs that run are interrupted, and nothing else is started.
 *
 * @param {() => Promise<unknown>} test
 * @param {() => Promise<unknown>} [beside] runs while packages are installed
 */
export async function runTests(test, beside = async () => undefined) {
  checkNode()
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => void stopRuns('SIGINT').finally(() => process.exit(INTERRUPTED)))
  }
  try {
    await Promise.all([ensureInstalled(), beside()])
    await ensureBuilt()
    await test()
  } catch (error) {
    process.stderr.write(`\n${reasonOf(error)}\n`)
    process.exit(1)
  }
}
