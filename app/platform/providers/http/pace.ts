import { minutes, seconds } from '~/lib/time'
import type { JobRef } from '../port'

const OFTEN_MS = seconds(10)
const SELDOM_MS = seconds(20)
const OFTEN_UNTIL_MS = minutes(3)

/**
 * Returns the delay until the next poll in milliseconds: 10 s, or 20 s once an order is 3 minutes
 * old.
 */
export function pollAfter(ageMs: number, timeScale: number): number {
  return Math.round((ageMs < OFTEN_UNTIL_MS ? OFTEN_MS : SELDOM_MS) * timeScale)
}

/** Returns the age of an order in milliseconds, or 0 if its reference does not say when it was sent. */
export function ageOf({ data }: JobRef, now: number): number {
  return now - Number(data?.sentAt ?? now)
}
