import { seconds } from '~/lib/time'
import { lastRoundAfterMs, roundsFor } from './rules'

/** The plan's pace and how fast videos are made. */
export type Speed = {
  speedLimit: number
  delaySeconds: number
  /** Recent average time from sending an order to its delivery, in milliseconds. */
  videoMs: number
  /** Recent average time between deliveries while the provider had more to do; null if unknown. */
  betweenMs: number | null
  /** Whether the provider works on a few orders at a time, so that `videoMs` includes waiting. */
  isQueue: boolean
  /** How many videos of this user, and of all users, may be under way at once. */
  places: number
  platformPlaces: number
  /** Videos of other users that are under way or ahead in the line. */
  others: number
}

export type FinishInputs = Speed & {
  now: Date
  /** Videos that no round has sent yet, and when the next round is due. */
  waiting: number
  nextRoundAt: Date | null
  /** Videos that were sent and have not ended. */
  moving: number
  /** The provider takes no orders before this time. */
  closedUntil: Date | null
}

/** Returns when the batch's last video should be delivered; null if none is left. */
export function finishEstimate(inputs: FinishInputs): Date | null {
  if (inputs.waiting + inputs.moving === 0) return null
  const opensAt = Math.max(inputs.now.getTime(), inputs.closedUntil?.getTime() ?? 0)
  return new Date(inputs.isQueue ? queueFinish(inputs, opensAt) : parallelFinish(inputs, opensAt))
}

/** The last round's start plus one video, or longer if deliveries or places are the bottleneck. */
function parallelFinish(inputs: FinishInputs, opensAt: number): number {
  const { waiting, moving, nextRoundAt, videoMs, others } = inputs
  const nextAt = Math.max(opensAt, nextRoundAt?.getTime() ?? 0)
  const lastRoundAt = waiting === 0 ? opensAt : nextAt + lastRoundAfterMs(inputs)
  const deliveriesMs = (others + waiting + moving) * (inputs.betweenMs ?? 0)
  return Math.max(lastRoundAt + videoMs, opensAt + Math.max(deliveriesMs, placesMs(inputs)))
}

/** The time the work takes if every place makes one video after another; `moving` are half done. */
function placesMs({ waiting, moving, videoMs, places, others, platformPlaces }: FinishInputs) {
  const last = waiting + moving - 1
  const turns = Math.max(Math.floor(last / places), Math.floor((others + last) / platformPlaces))
  return (turns + (moving > 0 ? 0.5 : 1)) * videoMs
}

/**
 * The last round's start plus its deliveries, one every `betweenMs`. Orders beyond the provider's
 * places are sent as places become free, and the next round starts a delay after the last of them.
 */
function queueFinish(inputs: FinishInputs, opensAt: number): number {
  const { waiting, moving, nextRoundAt, speedLimit, platformPlaces, others } = inputs
  const stepMs = inputs.betweenMs ?? 0
  const delayMs = seconds(inputs.delaySeconds)
  const sendingMs = (orders: number) => Math.max(0, orders - platformPlaces) * stepMs
  const isSending = moving >= platformPlaces
  const sentAt = isSending ? opensAt + sendingMs(moving) + delayMs : opensAt
  const nextAt = Math.max(sentAt, nextRoundAt?.getTime() ?? 0)
  const roundMs = sendingMs(speedLimit) + delayMs
  const lastRoundAt = waiting === 0 ? opensAt : nextAt + (roundsFor(inputs) - 1) * roundMs
  const left = waiting + moving
  const lastRoundMs = Math.min(left, speedLimit) * stepMs
  return Math.max(lastRoundAt + lastRoundMs, opensAt + (others + left) * stepMs)
}
