import type { Making } from './pulse'

export type Shown = { percent: number; text: string }

/** A bar that goes by time never says that it is all there. */
const MOST_BY_TIME = 95

/**
 * How far a video is, as a bar and in words: as the provider tells, else by how long videos take
 * lately (`usualMs`).
 */
export function progressOf({ percent, seconds }: Making, usualMs: number): Shown {
  if (percent !== null) return { percent, text: `${percent}%` }
  const usual = Math.max(1, Math.round(usualMs / 1000))
  const text =
    seconds > usual
      ? `${duration(seconds)}, longer than usual`
      : `${duration(seconds)} of about ${duration(usual)}`
  return { percent: Math.min(MOST_BY_TIME, Math.round((seconds / usual) * 100)), text }
}

/** `45 s`, `3 min`. */
const duration = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
