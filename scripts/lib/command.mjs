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
