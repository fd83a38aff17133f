/** The simulator's own time, in milliseconds since 1970. */
export type SimClock = {
  kind: 'virtual' | 'real'
  now(): number
  /** Resolves after so many simulated milliseconds; at once for 0. */
  after(ms: number): Promise<void>
  /** Moves the clock on. */
  advance(ms: number): void
  stop(): void
}

/** Stands still until it is moved on. */
export function virtualClock(start: number): SimClock {
  let now = start
  const waiting = new Set<{ at: number; wake: () => void }>()
  return {
    kind: 'virtual',
    now: () => now,
    after(ms) {
      if (ms <= 0) return Promise.resolve()
      return new Promise((wake) => waiting.add({ at: now + ms, wake }))
    },
    advance(ms) {
      now += ms
      for (const waiter of waiting) {
        if (waiter.at > now) continue
        waiting.delete(waiter)
        waiter.wake()
      }
    },
    stop() {
      for (const { wake } of waiting) wake()
      waiting.clear()
    },
  }
}

/**
 * Runs by itself, `speed` times as fast as the simulation, and can be moved on besides: an engine whose
 * own clock is moved by a test takes its provider along.
 */
export function realClock(speed: number): SimClock {
  const start = Date.now()
  const began = performance.now()
  let moved = 0
  const now = () => Math.round(start + moved + (performance.now() - began) * speed)
  const waiting = new Set<{ at: number; wake: () => void; timer: NodeJS.Timeout }>()
  return {
    kind: 'real',
    now,
    after(ms) {
      if (ms <= 0) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(waiter.timer)
          waiting.delete(waiter)
          resolve()
        }
        const waiter = { at: now() + ms, wake, timer: setTimeout(() => wake(), ms / speed) }
        waiting.add(waiter)
      })
    },
    advance(ms) {
      moved += ms
      for (const { at, wake } of [...waiting]) if (at <= now()) wake()
    },
    stop() {
      for (const { wake } of [...waiting]) wake()
    },
  }
}

/** Somebody else's time, such as an engine's clock that a test moves; pauses last as they do. */
export function followingClock(now: () => number): SimClock {
  return { ...realClock(1), now, advance: () => undefined }
}
