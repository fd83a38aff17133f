// Lock files. Each names the process that holds it. The lock of a process that has ended does not
// count.
import fs from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf, identityOf, isRunning } from './is-running.mjs'

const LOOK_AGAIN_MS = 200
/** How often a process looks whether another one has removed a lock that does not count. */
const REMOVED_WITHIN_MS = 10

/**
 * Returns the id of the process that holds a lock, or undefined.
 *
 * @param {string} file
 */
export const holderOf = async (file) => (await readLock(file)).holder

/** Returns whether the lock is there, and its holder if it runs. @param {string} file */
async function readLock(file) {
  const text = await fs.readFile(file, 'utf8').catch(ignoring('ENOENT'))
  const [pid, identity = ''] = (text ?? '').split(' ')
  const named = Number(pid)
  // A process does not wait for itself: in a container, its id may be that of a killed one.
  const counts =
    named > 0 && named !== process.pid && (await isRunning(named)) && (await mayBe(named, identity))
  return { isThere: text !== undefined, holder: counts ? named : undefined }
}

/**
 * Returns whether a running process may be the one that a lock names. Locks of earlier versions
 * contain no identity: then it has to be one of our scripts.
 *
 * @param {number} pid @param {string} identity
 */
async function mayBe(pid, identity) {
  if (identity === '') return (await commandOf(pid))?.includes('.mjs') ?? true
  const found = await identityOf(pid)
  // It may also be hidden, as a process of another user.
  return found === '' || found === identity
}

/**
 * Takes a lock for this process. Of processes that ask at the same time, one gets it. Returns a
 * function that releases it, or the id of the process that holds it.
 *
 * @param {string} file
 * @returns {Promise<(() => Promise<void>) | number>}
 */
export async function tryLock(file) {
  const own = `${file}.${process.pid}`
  const content = `${process.pid} ${await identityOf(process.pid)}`
  await fs.writeFile(own, content)
  // A link is there with its content or not at all, and fails if there is one already.
  const isTaken = () => fs.link(own, file).then(() => true, ignoring('EEXIST'))
  try {
    while (!(await isTaken())) {
      const holder = await holderOf(file)
      if (holder) return holder
      await removeDead(file)
    }
  } finally {
    await fs.rm(own, { force: true })
  }
  return async () => {
    const text = await fs.readFile(file, 'utf8').catch(ignoring('ENOENT'))
    if (text === content) await fs.rm(file, { force: true })
  }
}

/**
 * Removes the lock of a process that has ended. This takes a lock of its own: otherwise a slower
 * process could remove the lock that another one has taken since.
 *
 * @param {string} file
 */
async function removeDead(file) {
  const release = await tryLock(`${file}.dead`)
  if (typeof release === 'number') return sleep(REMOVED_WITHIN_MS)
  try {
    const { isThere, holder } = await readLock(file)
    if (isThere && !holder) await fs.rm(file)
  } finally {
    await release()
  }
}

/**
 * Takes a lock like `tryLock`, and waits while another process holds it. Returns a function that
 * releases it.
 *
 * @param {string} file
 * @param {(holder: number) => void} [onWait] called once, before waiting
 */
export async function waitForLock(file, onWait = sayWaiting(file)) {
  for (let waited = 0; ; waited++) {
    const lock = await tryLock(file)
    if (typeof lock === 'function') return lock
    if (waited === 0) onWait(lock)
    await sleep(LOOK_AGAIN_MS)
  }
}

const sayWaiting = (/** @type {string} */ file) => (/** @type {number} */ holder) =>
  console.log(`Waiting for process ${holder}, which holds the lock ${file} …`)

/** Returns a handler that turns one error of the file system into undefined. @param {string} code */
const ignoring = (code) => (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === code) return undefined
  throw error
}
