import { plural } from '~/lib/figures'
import { BarChart } from '~/components/charts/bar-chart'
import type { Series, StackedBars } from '~/components/charts/types'
import { Card } from '~/components/ui/card'
import { usePlatformZone } from '~/components/ui/use-root-data'

const SERIES: readonly Series[] = [{ name: 'Delivered', look: 'full' }]

/** The drawing, and what a bar stands for: `5 minutes`. */
type DrawnDeliveries = { drawing: StackedBars; step: string }

/** When the videos of a batch were delivered. */
export function DeliveryChart({ drawing, step }: DrawnDeliveries) {
  const timeZone = usePlatformZone()
  const { bars } = drawing
  const count = bars.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)
  return (
    <Card title="Deliveries">
      <BarChart
        name={`Videos delivered per ${step}`}
        summary={`${plural(count, 'video')} delivered${mostText(bars, count)}. Times are ${timeZone}.`}
        series={SERIES}
        drawing={drawing}
        unit="Time"
      />
    </Card>
  )
}

/** Says when most of the videos were delivered, if one bar has more than half of them. */
function mostText(bars: StackedBars['bars'], count: number): string {
  const most = bars.find((bar) => valueOf(bar) * 2 > count)
  if (!most) return ''
  const when = lowerFirst(most.name)
  return valueOf(most) === count ? `, ${when}` : `, most of them ${when} (${valueOf(most)})`
}

const valueOf = (bar: { values: readonly number[] } | undefined): number => bar?.values[0] ?? 0

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
