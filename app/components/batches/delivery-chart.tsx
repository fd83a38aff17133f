import { plural } from '~/lib/figures'
import { BarChart } from '../charts/bar-chart'
import type { Series, StackedBars } from '../charts/types'
import { Card } from '../ui/card'
import { usePlatformZone } from '../ui/use-root-data'

const SERIES: readonly Series[] = [{ name: 'Delivered', look: 'full' }]

/** The drawing, and what a bar stands for: `5 minutes`. */
type DrawnDeliveries = { drawing: StackedBars; step: string }

/** When the videos of a batch were delivered. */
export function DeliveryChart({ drawing, step }: DrawnDeliveries) {
  const timeZone = usePlatformZone()
  const { bars } = drawing
  const count = bars.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)
  const most = bars.reduce((best, bar) => (valueOf(bar) > valueOf(best) ? bar : best), bars[0])
  return (
    <Card title="Deliveries">
      <BarChart
        name={`Videos delivered per ${step}`}
        summary={`${plural(count, 'video')} delivered${most ? `, most of them ${lowerFirst(most.name)} (${valueOf(most)})` : ''}. Times are ${timeZone}.`}
        series={SERIES}
        drawing={drawing}
        unit="Time"
      />
    </Card>
  )
}

const valueOf = (bar: { values: readonly number[] } | undefined): number => bar?.values[0] ?? 0

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
