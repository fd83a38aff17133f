/** Parts into which a limit is cut. */
const PARTS = 12

export type RunningTimer = {
  /** The time starts again from the beginning. */
  restart: () => void
  stop: () => void
}

/**
 * Calls `end` once this process has run for `ms`. Unlike setTimeout, it does not count the time in which
 * the process stood still (stopped, suspended, its event loop held up): Node runs timers before it reads,
 * so what came meanwhile would be given up unread. Keeps no process alive.
 */
export function startRunningTimer(ms: number, end: () => void): RunningTimer {
  const part = ms / PARTS
  let timer: NodeJS.Timeout
  const wait = (left: number) => {
    const startedAt = performance.now()
    timer = setTimeout(() => {
      const stoodStill = performance.now() - startedAt > 2 * part
      const next = stoodStill ? left : left - 1
      if (next > 0) wait(next)
      else end()
    }, part).unref()
  }
  const stop = () => clearTimeout(timer)
  const restart = () => {
    stop()
    wait(PARTS)
  }
  wait(PARTS)
  return { restart, stop }
}

/** Aborts with a TimeoutError once this process has run for `ms` (see startRunningTimer). */
export function runningTimeout(ms: number): AbortSignal {
  const controller = new AbortController()
  const error = new DOMException('no answer in time', 'TimeoutError')
  startRunningTimer(ms, () => controller.abort(error))
  return controller.signal
}
