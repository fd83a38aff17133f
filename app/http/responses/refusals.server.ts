import { Counter } from 'prom-client'

/** Registered by mountMetrics. */
export const refusals = new Counter({
  name: 'reelmill_refusals_total',
  help: 'Refusals by code, such as QUOTA_EXCEEDED, since the process started.',
  labelNames: ['code'],
  registers: [],
})

const counted = new WeakSet()

/** Counts a refusal. An error object is counted once, even if several layers convert it. */
export function countRefusal(error: unknown, code: string): void {
  if (typeof error === 'object' && error !== null) {
    if (counted.has(error)) return
    counted.add(error)
  }
  refusals.inc({ code })
}
