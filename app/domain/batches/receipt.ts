import { finishEstimate, type Speed } from './finish-estimate'
import { lastRoundAfterMs, roundsFor } from './rules'

/** What a receipt is computed from. */
export type EstimateInputs = Speed & {
  /** ISO 8601 time before which the provider takes no orders. */
  closedUntil: string | null
  limit: number
  used: number
  remaining: number
}

/** What a batch of `prompts` prompts will mean, shown before it starts. */
export type Receipt = {
  prompts: number
  usedAfter: number
  remainingAfter: number
  /** False if the batch exceeds the rest of today's quota. It would then be rejected as a whole. */
  fits: boolean
  rounds: number
  lastStartAt: Date
  finishAt: Date
}

/** Computes the receipt of a batch that starts `now`. Used by both the page and the API call. */
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
