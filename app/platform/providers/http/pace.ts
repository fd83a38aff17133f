import { minutes, seconds } from '~/lib/time'
import type { OrderRef, PollResult } from '../port'

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
export function ageOf({ data }: OrderRef, now: number): number {
  return now - Number(data?.sentAt ?? now)
}

/** The share of an order's time after which its clip is asked for, whatever its status says. */
const LATE_SHARE = 0.9

/**
 * Returns whether an unfinished order should be asked for its clip: its status is unknown and the
 * server says that nothing is left to do, or its time is nearly over. Each of its last polls does,
 * because clocks differ and one request may get lost.
 */
export function isWorthAsking(
  result: PollResult,
  { ageMs, deadlineMs }: { ageMs: number; deadlineMs: number },
): boolean {
  if (result.state !== 'pending') return false
  const saysWhole = result.strangeWord !== undefined && (result.progress ?? 0) >= 1
  return saysWhole || ageMs >= deadlineMs * LATE_SHARE
}
