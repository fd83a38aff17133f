import { days } from '~/lib/time'
import { lastRoundAfterMs } from './rules'

/** About when a batch in line starts and ends. */
type TimeInLine = { startsAt: Date; endsAt: Date }

type Inputs = {
  /** How many prompts each batch in line has, first ones first. */
  waiting: readonly number[]
  /** When the running batch ends, and its prompts of later days. */
  endsAt: Date
  carried: number
  /** Videos a day, and how many are left until `resetsAt`. */
  limit: number
  remaining: number
  resetsAt: Date
  pace: { speedLimit: number; delaySeconds: number }
  /** How long one video takes, in milliseconds. */
  videoMs: number
}

/**
 * Estimates when each batch in line starts and ends: it starts when the one before it has ended, and not
 * before a day that has a unit for it.
 */
export function timesInLine(inputs: Inputs): TimeInLine[] {
  const { waiting, endsAt, carried, remaining, resetsAt, pace, videoMs } = inputs
  const limit = Math.max(1, inputs.limit)
  let at = endsAt.getTime()
  let midnight = resetsAt.getTime()
  let left = remaining
  const toNextDay = () => {
    at = Math.max(at, midnight)
    midnight += days(1)
    left = limit
  }
  while (midnight <= at) toNextDay()
  // What the running batch takes of its last day.
  if (carried > 0) left = limit - (carried % limit || limit)
  return waiting.map((prompts) => {
    if (left === 0) toNextDay()
    const startsAt = new Date(at)
    let todo = prompts
    while (todo > left) {
      todo -= left
      toNextDay()
    }
    left -= todo
    at += lastRoundAfterMs({ ...pace, waiting: todo }) + videoMs
    while (midnight <= at) toNextDay()
    return { startsAt, endsAt: new Date(at) }
  })
}
