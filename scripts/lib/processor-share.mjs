import fs from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/**
 * Returns a function that says which part of the last `periodMs` a process had to do something with: 0 if it
 * only waited for a processor or a disk, 1 if it ran all the time. A process that waits for nothing of the
 * machine (it sleeps, or is stopped) has 1 as well, and so has each one where the system does not tell.
 *
 * @param {number | undefined} pid @param {number} periodMs
 */
export function watchShare(pid, periodMs) {
  let before = usedMs(pid)
  return () => {
    const used = usedMs(pid)
    const part = Math.min(1, (used - before) / periodMs)
    before = used
    return isKeptWaiting(pid) ? part : 1
  }
}

/** @param {number | undefined} pid */
function usedMs(pid) {
  const [, fields] = stateOf(`/proc/${pid}/stat`)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
}

/** Returns whether a thread could run, or waits for a disk (R and D in proc(5)). @param {number | undefined} pid */
function isKeptWaiting(pid) {
  const folder = `/proc/${pid}/task`
  try {
    return fs.readdirSync(folder).some((id) => /[RD]/.test(stateOf(`${folder}/${id}/stat`)[0]))
  } catch {
    return false
  }
}

/** Returns the state in a file of proc(5), and the fields from it on. @param {string} file @returns {[string, string[]]} */
function stateOf(file) {
  try {
    const stat = fs.readFileSync(file, 'utf8')
    // The name is in brackets and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [fields[0] ?? '', fields]
  } catch {
    return ['', []]
  }
}
