import { runningPort } from './postgres-folder.mjs'

const CHECK_EVERY_MS = 1000

/**
 * Starts the embedded database again whenever it has ended. Returns a function that stops doing so.
 *
 * @param {{ dir: string, startAgain: () => Promise<unknown> }} database
 */
export function superviseDatabase({ dir, startAgain }) {
  /** @type {Promise<void> | undefined} */
  let checking
  const check = async () => {
    if (await runningPort(dir)) return
    console.error('The database has ended and is started again.')
    await startAgain().catch((error) => console.error(error.message))
  }
  const timer = setInterval(() => {
    checking ??= check().finally(() => (checking = undefined))
  }, CHECK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await checking
  }
}
