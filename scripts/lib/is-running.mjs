import fs from 'node:fs/promises'

/**
 * Returns whether a process runs. A zombie, which its parent has not reaped, does not.
 *
 * @param {number} pid
 */
export async function isRunning(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another user runs, but may not be signalled.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return (await statOf(pid))?.state !== 'Z'
}

/**
 * Returns a text that identifies a process even if another one later gets the same id: the boot and
 * the start time. Empty on systems without /proc.
 *
 * @param {number} pid
 */
export async function identityOf(pid) {
  const boot = await fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const stat = await statOf(pid)
  return stat ? `${boot.trim()}/${stat.startedAt}` : ''
}

/** Returns the command line of a process. Undefined if the system does not tell. @param {number} pid */
export const commandOf = (pid) => fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)

/** @param {number} pid */
async function statOf(pid) {
  const text = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The second field is the name in parentheses, which may contain spaces. Fields 3 and 22 follow.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], startedAt: fields[19] }
}
