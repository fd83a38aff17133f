import fs from 'node:fs/promises'

/**
 * Returns whether a process runs. A zombie, which its parent has not reaped, does not.
 *
 * @param {number} pid
 */
export async function isRunning(pid) {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(stat)
}
