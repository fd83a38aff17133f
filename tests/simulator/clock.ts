/** The simulator's clock, in milliseconds since 1970. */
export type SimClock = {
  kind: 'virtual' | 'real'
  now(): number
  /** Resolves after a number of simulated milliseconds; at once for 0. */
  after(ms: number): Promise<void>
  /** Moves the clock forward. */
  advance(ms: number): void
  stop(): void
}

/** Returns a clock that moves only by `advance`. */
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
 * Returns a clock that runs `speed` times as fast as real time and can be moved in addition, so
 * that a test that moves an engine's clock can move its provider's too.
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

/**
 * Returns a clock that reads another one, such as an engine's clock that a test moves. Pauses take
 * real time.
 */
export function followingClock(now: () => number): SimClock {
  return { ...realClock(1), now, advance: () => undefined }
}
