/** The simulator's own time, in milliseconds since 1970. */
export type SimClock = {
  kind: 'virtual' | 'real'
  now(): number
  /** Resolves after so many simulated milliseconds; at once for 0. */
  after(ms: number): Promise<void>
  /** Moves a virtual clock on; a real one refuses. */
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

/** Runs by itself, `speed` times as fast as the world. */
export function realClock(speed: number): SimClock {
  const start = Date.now()
  const began = performance.now()
  const timers = new Map<NodeJS.Timeout, () => void>()
  return {
    kind: 'real',
    now: () => Math.round(start + (performance.now() - began) * speed),
    after(ms) {
      if (ms <= 0) return Promise.resolve()
      return new Promise((wake) => {
        const timer = setTimeout(() => {
          timers.delete(timer)
          wake()
        }, ms / speed)
        timers.set(timer, wake)
      })
    },
    advance() {
      throw new Error('a real clock cannot be advanced')
    },
    stop() {
      for (const [timer, wake] of timers) {
        clearTimeout(timer)
        wake()
      }
      timers.clear()
    },
  }
}
