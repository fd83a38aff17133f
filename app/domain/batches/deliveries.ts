import { days, hours, minutes } from '~/lib/time'

/** Lengths of time that a bar may stand for, in milliseconds: those that people count in. */
const STEPS = [...[1, 2, 5, 10, 30].map(minutes), ...[1, 3, 6, 12].map(hours), days(1)] as const

/** A chart with more bars has no room on a phone. */
const MOST_BARS = 24

/** Deliveries within a span of time that starts at `from`. */
export type Deliveries = { from: string; videos: number }

/**
 * Counts the deliveries of a batch in equal spans of time, from its start to its last delivery. `times`
 * are in milliseconds, in any order. Returns [] if there are none.
 */
export function countDeliveries(
  start: number,
  times: readonly number[],
): { stepMs: number; spans: Deliveries[] } {
  const last = Math.max(start, ...times)
  const stepMs = STEPS.find((step) => (last - start) / step < MOST_BARS - 1) ?? days(1)
  if (times.length === 0) return { stepMs, spans: [] }
  // Bars begin at whole minutes, hours or days, as their labels say.
  const first = Math.floor(start / stepMs) * stepMs
  const spanOf = (time: number) => Math.floor((Math.max(start, time) - first) / stepMs)
  const spans = Array.from({ length: spanOf(last) + 1 }, (_, i) => ({
    from: new Date(first + i * stepMs).toISOString(),
    videos: 0,
  }))
  for (const time of times) {
    const span = spans[spanOf(time)]
    if (span) span.videos++
  }
  return { stepMs, spans }
}
