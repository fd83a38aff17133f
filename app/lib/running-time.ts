/** The number of parts into which a limit is divided. */
const PARTS = 12

export type RunningTimer = {
  /** Starts the time again. */
  restart: () => void
  stop: () => void
}

/**
 * Calls `end` once this process has run for `ms`. Unlike setTimeout, it does not count time in
 * which the process was stopped or suspended or its event loop was blocked. Node runs timers before
 * it reads, so data that arrived meanwhile would be discarded unread. Does not keep the process
 * alive.
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

/**
 * Returns a signal that aborts with a TimeoutError once this process has run for `ms`; see
 * startRunningTimer.
 */
export function runningTimeout(ms: number): AbortSignal {
  const controller = new AbortController()
  const error = new DOMException('no response in time', 'TimeoutError')
  startRunningTimer(ms, () => controller.abort(error))
  return controller.signal
}
