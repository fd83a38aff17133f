import { finishEstimate } from './finish-estimate'
import { lastRoundAfterMs, roundsFor } from './rules'

/** What a receipt is worked out from: the plan's pace, today's quota and how long videos take. */
export type EstimateInputs = {
  speedLimit: number
  delaySeconds: number
  /** How long one video takes lately, in milliseconds. */
  videoMs: number
  /** How long it is from one delivery to the next while there is more to do; null: not known. */
  betweenMs: number | null
  /** The provider works on a few at a time. */
  isQueue: boolean
  /** How many of the user's videos may be under way at once. */
  places: number
  /** The same for everybody together, and how much of it others take. */
  platformPlaces: number
  others: number
  /** The provider takes nothing before then, ISO 8601. */
  closedUntil: string | null
  limit: number
  used: number
  remaining: number
}

/** What a batch of so many prompts would mean, before anything is started. */
export type Receipt = {
  prompts: number
  usedAfter: number
  remainingAfter: number
  /** False when the batch is larger than what is left of today: it is refused whole. */
  fits: boolean
  rounds: number
  lastStartAt: Date
  finishAt: Date
}

/** The receipt of a batch that starts `now`. The same on the page, before it and in the call. */
export function receiptFor(prompts: number, estimateInputs: EstimateInputs, now: Date): Receipt {
  const { used, remaining, closedUntil } = estimateInputs
  const plan = { ...estimateInputs, waiting: prompts }
  const finish = finishEstimate({
    ...plan,
    now,
    nextRoundAt: null,
    moving: 0,
    closedUntil: closedUntil === null ? null : new Date(closedUntil),
  })
  return {
    prompts,
    usedAfter: used + prompts,
    remainingAfter: Math.max(0, remaining - prompts),
    fits: prompts <= remaining,
    rounds: roundsFor(plan),
    lastStartAt: new Date(now.getTime() + lastRoundAfterMs(plan)),
    finishAt: finish ?? now,
  }
}
