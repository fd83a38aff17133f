/** Parts into which a limit is cut. */
const PARTS = 12

/**
 * Aborts with a TimeoutError once this process has run for `ms`. Unlike AbortSignal.timeout, it does not
 * count the time in which the process stood still (stopped, suspended, its event loop held up): Node runs
 * timers before it reads, so an answer that came meanwhile would be given up unread. Keeps no process alive.
 */
export function runningTimeout(ms: number): AbortSignal {
  const controller = new AbortController()
  const part = ms / PARTS
  const wait = (left: number) => {
    const startedAt = performance.now()
    setTimeout(() => {
      const stoodStill = performance.now() - startedAt > 2 * part
      const next = stoodStill ? left : left - 1
      if (next > 0) wait(next)
      else controller.abort(new DOMException('no answer in time', 'TimeoutError'))
    }, part).unref()
  }
  wait(PARTS)
  return controller.signal
}
