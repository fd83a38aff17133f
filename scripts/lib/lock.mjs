// Lock files. Each contains the id of the process that holds it. The lock of a process that was
// killed does not count.
import fs from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './is-running.mjs'

const LOOK_AGAIN_MS = 200

/**
 * Returns the id of the process that holds a lock, or undefined. An unrelated process that has since
 * received the same id is ignored.
 *
 * @param {string} file
 * @param {RegExp} programs matches the command lines of the processes that take this lock
 */
export async function holderOf(file, programs) {
  return holderIn(await fs.readFile(file, 'utf8').catch(() => ''), programs)
}

/** @param {string} text the content of a lock file @param {RegExp} programs */
async function holderIn(text, programs) {
  const pid = Number(text)
  if (!pid || pid === process.pid || !(await isRunning(pid))) return undefined
  // Only Linux tells the command line here. Elsewhere the process counts as the holder.
  const command = await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command === undefined || programs.test(command) ? pid : undefined
}

/**
 * Takes a lock for this process. Of processes that ask at the same time, one gets it. Returns a
 * function that releases it, or the id of the process that holds it.
 *
 * @param {string} file @param {RegExp} programs
 */
export async function tryLock(file, programs) {
  const own = `${file}.${process.pid}`
  // A link is there with its content or not at all, and fails if there is one already.
  await fs.writeFile(own, String(process.pid))
  try {
    while (!(await linkTo(own, file))) {
      const text = await fs.readFile(file, 'utf8').catch(() => undefined)
      // It was released just now.
      if (text === undefined) continue
      const holder = await holderIn(text, programs)
      if (holder) return holder
      await removeDead(file, programs)
    }
  } finally {
    await fs.rm(own, { force: true })
  }
  return async () => {
    const text = await fs.readFile(file, 'utf8').catch(() => '')
    if (Number(text) === process.pid) await fs.rm(file, { force: true })
  }
}

/**
 * Removes the lock of a process that has ended. Another process may have done so and taken the lock
 * meanwhile: then that lock is put back.
 *
 * @param {string} file @param {RegExp} programs
 */
async function removeDead(file, programs) {
  const aside = `${file}.${process.pid}.old`
  if (!(await moved(file, aside))) return
  if (await holderOf(aside, programs)) await linkTo(aside, file)
  await fs.rm(aside)
}

/** Returns whether the file was there and was moved. @param {string} file @param {string} to */
const moved = (file, to) =>
  fs.rename(file, to).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/**
 * Takes a lock like `tryLock`, and waits while another process holds it. Returns a function that
 * releases it.
 *
 * @param {string} file @param {RegExp} programs
 * @param {(holder: number) => void} onWait called once, before waiting
 */
export async function waitForLock(file, programs, onWait) {
  for (let waited = 0; ; waited++) {
    const lock = await tryLock(file, programs)
    if (typeof lock === 'function') return lock
    if (waited === 0) onWait(lock)
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Returns whether the link was created. @param {string} target @param {string} file */
const linkTo = (target, file) =>
  fs.link(target, file).then(
    () => true,
    (error) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
