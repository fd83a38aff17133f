import { minutes, seconds } from '~/lib/time'

const OFTEN_MS = seconds(10)
const SELDOM_MS = seconds(20)
const OFTEN_UNTIL_MS = minutes(3)

/** When to ask about an order again: every 10 s, every 20 s once it is 3 minutes old. */
export function pollAfter(ageMs: number, timeScale: number): number {
  return Math.round((ageMs < OFTEN_UNTIL_MS ? OFTEN_MS : SELDOM_MS) * timeScale)
}
