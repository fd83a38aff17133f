import fs from 'node:fs/promises'
import { until } from './wait'

/** Sends a signal to a process, if it still exists. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/** Stops a process, and waits until it is stopped or gone. */
export async function stopProcess(pid: number): Promise<void> {
  sendSignal(pid, 'SIGSTOP')
  await until(`process ${pid} to stop`, async () => {
    const { state } = await readProcess(pid)
    return state === 'T' || state === 'Z' || state === undefined
  })
}

/** Returns the processes that a process has started. Empty on systems without /proc. */
export async function childrenOf(parent: number): Promise<number[]> {
  const all = await readProcesses()
  return all.filter((each) => each.parent === parent).map(({ pid }) => pid)
}

/** Returns the processes that a process has started, those that these have started, and so on. */
export async function descendantsOf(ancestor: number): Promise<number[]> {
  const all = await readProcesses()
  const below = (pid: number): number[] =>
    all.filter(({ parent }) => parent === pid).flatMap((each) => [each.pid, ...below(each.pid)])
  return below(ancestor)
}

async function readProcesses() {
  const names = await fs.readdir('/proc').catch(() => [])
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  return Promise.all(pids.map(async (pid) => ({ pid, parent: (await readProcess(pid)).parent })))
}

/** Returns the state and the parent of a process (proc(5)); an empty object if it is gone. */
async function readProcess(pid: number): Promise<{ state?: string; parent?: number }> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, state, parent] = /.*\) (\S) (\d+) /s.exec(stat) ?? []
  return state === undefined ? {} : { state, parent: Number(parent) }
}
