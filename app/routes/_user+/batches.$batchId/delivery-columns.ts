import type { Deliveries } from '~/domain/batches/deliveries'
import { plural } from '~/lib/figures'
import { dayAndMonth, dayIn, days, hours, minutes, timeOfDay } from '~/lib/time'
import type { Column } from '~/components/charts/types'

/** Labels under the bars, about. More have no room on a phone. */
const LABELS = 5

type Drawn = { stepMs: number; spans: readonly Deliveries[] }

/** Returns the bars of a batch's deliveries, named by when they begin. */
export function deliveryColumns({ stepMs, spans }: Drawn, timeZone: string): Column[] {
  const every = Math.max(1, Math.ceil(spans.length / LABELS))
  const dayOf = ({ from }: Deliveries) => dayIn(timeZone, new Date(from))
  const isOneDay = new Set(spans.map(dayOf)).size === 1
  return spans.map((span, index) => {
    const time = timeOfDay(span.from, timeZone)
    const day = dayAndMonth(dayOf(span))
    return {
      name: `From ${time}${isOneDay ? '' : ` on ${day}`}`,
      label: index % every !== 0 ? undefined : stepMs >= days(1) ? day : time,
      values: [span.videos],
    }
  })
}

/** Names a step: `5 minutes`. */
export const stepInWords = (stepMs: number): string =>
  stepMs >= days(1)
    ? 'day'
    : stepMs >= hours(1)
      ? countOf(stepMs / hours(1), 'hour')
      : countOf(stepMs / minutes(1), 'minute')

const countOf = (count: number, unit: string): string => (count === 1 ? unit : plural(count, unit))
