import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadEnvFile } from './env-file.mjs'
import { isForbidden, refusalOf } from './reason.mjs'
import { root } from './root.mjs'
import { openInstallation, prepareDatabaseOnly } from './start-up.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './state.mjs'

/**
 * Errors whose message is for operators. Compared by name, because built programs have their own
 * classes.
 */
const IN_WORDS = ['StartError', 'ArchiveError']

/** File system errors that operators can resolve. Node's message names the path. */
const FILE_ERRORS = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOSPC', 'EDQUOT', 'ENOTDIR']

/** Exit code after Ctrl-C, as in shells. */
const INTERRUPTED = 130
/** How long a command that was interrupted may take to remove its drafts. */
const ENDS_WITHIN_MS = 5000

/**
 * Runs a command of `npm run`. At the end, also after an error or a signal, runs the steps of `undo` in
 * reverse order. After an error, prints its message if it is meant for operators, else its stack, and
 * sets the exit code to 1.
 *
 * @param {(undo: (() => Promise<unknown>)[]) => Promise<void>} main adds to `undo` what closes its
 *   resources
 */
export async function runCommand(main) {
  /** @type {(() => Promise<unknown>)[]} */
  const undo = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  const work = main(undo)
  let isInterrupted = false
  const interrupt = async () => {
    isInterrupted = true
    await close().catch(() => undefined)
    // Without its database the work fails, and removes what it has begun.
    await Promise.race([work.catch(() => undefined), sleep(ENDS_WITHIN_MS)])
    // What the work has opened since.
    await close().catch(() => undefined)
    process.exit(INTERRUPTED)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void interrupt())
  try {
    await work
  } catch (error) {
    process.exitCode = 1
    if (!isInterrupted) console.error(inWords(error))
  } finally {
    await close()
  }
}

/**
 * Returns what to print about an error: a message for operators, or the error itself.
 *
 * @param {unknown} error
 */
function inWords(error) {
  if (!(error instanceof Error)) return error
  if (IN_WORDS.includes(error.name)) return error.message
  if ('code' in error && FILE_ERRORS.includes(String(error.code))) return error.message
  return isForbidden(error) ? refusalOf(error) : error
}

/** Installs and builds what is missing, and reads the settings, before the work of a command. */
export async function prepareCommand() {
  checkNode()
  await loadEnvFile()
  await ensureInstalled({ keepsStale: true })
  await ensureBuilt()
}

/**
 * Runs a built program on the database of this folder's installation (or DATABASE_URL), whether the
 * product is running or not. The command line names it and its arguments. The program prints its own
 * errors.
 */
export function runProgram() {
  const [name, ...args] = process.argv.slice(2)
  return runCommand(async (undo) => {
    await prepareCommand()
    // A database of DATABASE_URL is migrated only by `npm run migrate`, as the owner of its tables.
    const open = process.env.DATABASE_URL ? openInstallation : prepareDatabaseOnly
    const { env } = await open(undo)
    const program = path.join(root, 'build', `${name}.js`)
    await run(process.execPath, [program, ...args], { env, shown: true }).catch(() => {
      process.exitCode = 1
    })
  })
}
