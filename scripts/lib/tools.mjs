import path from 'node:path'
import { reasonOf } from './reason.mjs'
import { root } from './root.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './state.mjs'

/**
 * Runs a program of the installed packages and shows its output. Rejects if it fails.
 *
 * @param {string} bin @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 */
export const runTool = (bin, args, env = process.env) =>
  run(path.join(root, 'node_modules/.bin', bin), args, { env, shown: true })

/**
 * Installs and builds, then tests. After an error prints its message, and exits with code 1.
 *
 * @param {() => Promise<unknown>} test
 */
export async function runTests(test) {
  checkNode()
  try {
    await ensureInstalled()
    await ensureBuilt()
    await test()
  } catch (error) {
    process.stderr.write(`\n${reasonOf(error)}\n`)
    process.exit(1)
  }
}
