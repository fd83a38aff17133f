import { finishEstimate, type Speed } from './finish-estimate'
import { laterDays, withinPlan, type BeyondPlan } from './later-days'
import { timesInLine } from './line-estimate'
import { lastRoundAfterMs, roundsFor } from './rules'
import type { BatchProgress } from './types'

/** What runs and waits before a batch that would be added to the line. */
export type Ahead = {
  /** About when the running batch ends; null if that is not known. */
  endsAt: string | null
  /** Its prompts of later days. */
  carried: number
  /** Whether the plan ends before they have all been sent. */
  isBeyondPlan: boolean
  /** How many prompts each batch in line has, first ones first. */
  waiting: number[]
}

/** What a receipt is computed from. */
export type EstimateInputs = Speed & {
  /** ISO 8601 time before which the provider takes no orders. */
  closedUntil: string | null
  limit: number
  used: number
  /** How many videos can be ordered today, and how many units each uses. */
  remaining: number
  clipUnits: number
  /** Videos of each further day, and when the next day begins (ISO 8601). */
  perDay: number
  resetsAt: string
  /** When the plan ends (ISO 8601); null: never. */
  planEnd: string | null
  /** Null: a batch can start now. */
  ahead: Ahead | null
}

/** What a batch of `prompts` prompts will mean, shown before it starts. Null times are not known. */
export type Receipt = {
  prompts: number
  usedAfter: number
  remainingAfter: number
  /** False if the batch exceeds the rest of today's quota. It would then be rejected as a whole. */
  fits: boolean
  rounds: number
  /** When the last one of today is sent. */
  lastStartAt: Date | null
  /** When those of today should be ready; of a batch in line, all of them. */
  finishAt: Date | null
  /** What the next days take, if the batch may go on on them; null: nothing, or it waits in line. */
  later: { lastAt: Date | null; beyondPlan: BeyondPlan | null } | null
  /** Of a batch that would wait in line: about when it starts. */
  line: { startsAt: Date | null } | null
  /** When the plan ends, if that comes before the batch has ended. */
  planEnd: Date | null
}

/** Returns what a batch would have to wait for, from what the create screen follows. */
export function aheadOf(progress: BatchProgress | null): Ahead | null {
  if (progress?.batch.status !== 'processing') return null
  const { finishEstimate: endsAt, carried } = progress.batch
  return {
    endsAt,
    carried: carried?.prompts ?? 0,
    isBeyondPlan: carried !== null && (carried.isStopped || carried.beyondPlan !== null),
    waiting: progress.inLine.map(({ prompts }) => prompts),
  }
}

/** Computes the receipt of a batch that is ordered `now`. */
export function receiptFor(prompts: number, estimateInputs: EstimateInputs, now: Date): Receipt {
  const { used, remaining, clipUnits, ahead } = estimateInputs
  const planEnd = estimateInputs.planEnd === null ? null : new Date(estimateInputs.planEnd)
  const base = {
    prompts,
    usedAfter: used + prompts * clipUnits,
    remainingAfter: Math.max(0, remaining - prompts),
    fits: prompts <= remaining,
    rounds: roundsFor({ ...estimateInputs, waiting: prompts }),
  }
  return ahead === null
    ? { ...base, ...startedNow(prompts, { ...estimateInputs, planEnd, now }) }
    : { ...base, ...startedInLine(prompts, { ...estimateInputs, planEnd, ahead }) }
}

type Times = Omit<Receipt, 'prompts' | 'usedAfter' | 'remainingAfter' | 'fits' | 'rounds'>
type Inputs = Omit<EstimateInputs, 'planEnd' | 'ahead'> & { planEnd: Date | null }

function startedNow(prompts: number, inputs: Inputs & { now: Date }): Times {
  const { remaining, perDay, resetsAt, planEnd, closedUntil, now } = inputs
  const today = Math.min(prompts, remaining)
  const plan = { ...inputs, waiting: today }
  const finish = finishEstimate({
    ...plan,
    nextRoundAt: null,
    moving: 0,
    closedUntil: closedUntil === null ? null : new Date(closedUntil),
  })
  const later =
    prompts > today
      ? laterDays({ prompts: prompts - today, perDay, firstAt: new Date(resetsAt), planEnd })
      : null
  const isCut = finish !== null && withinPlan(finish, planEnd) === null
  return {
    lastStartAt:
      today > 0 ? withinPlan(new Date(now.getTime() + lastRoundAfterMs(plan)), planEnd) : null,
    finishAt: withinPlan(finish, planEnd),
    later,
    line: null,
    planEnd: isCut || later?.beyondPlan ? planEnd : null,
  }
}

/** The same times as the batch has once it waits in line. */
function startedInLine(prompts: number, inputs: Inputs & { ahead: Ahead }): Times {
  const { perDay, remaining, resetsAt, planEnd, videoMs, ahead } = inputs
  const { endsAt, carried, isBeyondPlan, waiting } = ahead
  const times =
    endsAt === null
      ? undefined
      : timesInLine({
          waiting: [...waiting, prompts],
          endsAt: new Date(endsAt),
          carried,
          limit: perDay,
          remaining,
          resetsAt: new Date(resetsAt),
          pace: inputs,
          videoMs,
        }).at(-1)
  const finishAt = withinPlan(times?.endsAt ?? null, planEnd)
  return {
    lastStartAt: null,
    finishAt,
    later: null,
    line: { startsAt: withinPlan(times?.startsAt ?? null, planEnd) },
    planEnd: isBeyondPlan || (times && finishAt === null) ? planEnd : null,
  }
}
