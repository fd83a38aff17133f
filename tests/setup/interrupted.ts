import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../../scripts/lib/is-running.mjs'
import { removeClustersOfRun } from '../support/cluster'
import { descendantsOf, sendSignal } from '../support/process-tree'

/** How long the processes of an interrupted run may take to stop by themselves. */
const ENDS_WITHIN_MS = 10_000
const CHECK_EVERY_MS = 50
/** Exit code after Ctrl-C, as in shells. */
const INTERRUPTED = 130

/**
 * Leaves nothing running if vitest alone gets SIGINT, SIGTERM or SIGHUP: ends the processes of
 * the tests and removes their databases. Must be called in the runner's main process.
 */
export function cleanUpWhenInterrupted(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The runner's own listeners would exit at once.
    process.removeAllListeners(name)
    process.once(name, () => {
      const { exit } = process
      // So would the runner when its workers end.
      Object.assign(process, { exit: () => undefined })
      void end().finally(() => exit(INTERRUPTED))
    })
  }
}

async function end(): Promise<void> {
  const processes = await descendantsOf(process.pid)
  // A product that a test has started with `npm start` stops its database in order.
  for (const pid of processes) sendSignal(pid, 'SIGTERM')
  const endsAt = Date.now() + ENDS_WITHIN_MS
  const areRunning = async () => (await Promise.all(processes.map(isRunning))).some(Boolean)
  while (Date.now() < endsAt && (await areRunning())) await sleep(CHECK_EVERY_MS)
  for (const pid of processes) sendSignal(pid, 'SIGKILL')
  await removeClustersOfRun()
}
