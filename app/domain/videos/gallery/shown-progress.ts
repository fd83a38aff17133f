import type { GenerationProgress } from './pulse'

export type Shown = { percent: number; text: string }

/** A time-based progress bar never shows 100%. */
const MOST_BY_TIME = 95

/**
 * Returns the progress of a video as a percentage and as text: as reported by the provider,
 * otherwise estimated from the recent average duration (`usualMs`).
 */
export function progressOf(
  { percent, seconds }: Pick<GenerationProgress, 'percent' | 'seconds'>,
  usualMs: number,
): Shown {
  if (percent !== null) return { percent, text: `${percent}%` }
  const usual = Math.max(1, Math.round(usualMs / 1000))
  const text =
    seconds > usual
      ? `${duration(seconds)}, longer than usual`
      : `${duration(seconds)} of about ${duration(usual)}`
  return { percent: Math.min(MOST_BY_TIME, Math.round((seconds / usual) * 100)), text }
}

/** Formats a duration, such as `45 s` or `3 min`. */
const duration = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
