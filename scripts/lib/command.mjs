import path from 'node:path'
import { loadEnvFile } from './env-file.mjs'
import { root } from './root.mjs'
import { prepareDatabaseOnly } from './start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './state.mjs'

/** Errors written for operators. By name: those of built programs are of another module. */
const IN_WORDS = ['StartError', 'ArchiveError']

/**
 * Runs a command of `npm run`: what it opened is closed whatever happened, in the opposite order; an
 * error for operators is told in its own words, any other with its stack. The exit code is then 1.
 *
 * @param {(undo: (() => Promise<unknown>)[]) => Promise<void>} main puts what is to be closed into `undo`
 */
export async function runCommand(main) {
  /** @type {(() => Promise<unknown>)[]} */
  const undo = []
  try {
    await main(undo)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof Error && IN_WORDS.includes(error.name) ? error.message : error)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/**
 * Runs a built program on the database of this folder's installation (or DATABASE_URL), whether the
 * product runs or not, with the arguments of the command line. The program says itself what went wrong.
 *
 * @param {string} name of the program in `build`
 */
export function runProgram(name) {
  return runCommand(async (undo) => {
    checkNode()
    await loadEnvFile()
    await ensureInstalled({ keepsStale: true })
    await ensureBuilt()
    const { env } = await prepareDatabaseOnly(undo)
    const program = path.join(root, 'build', `${name}.js`)
    await run(process.execPath, [program, ...process.argv.slice(2)], { env, shown: true }).catch(
      () => {
        process.exitCode = 1
      },
    )
  })
}
