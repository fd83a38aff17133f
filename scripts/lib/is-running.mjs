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
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(stat)
}
