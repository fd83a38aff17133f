import { figure, plural } from '~/lib/figures'
import { BarChart } from '~/components/charts/bar-chart'
import type { Bar, Series, StackedBars } from '~/components/charts/types'
import { Card } from '~/components/ui/card'

const SERIES: readonly Series[] = [
  { name: 'Charged', look: 'full' },
  { name: 'Returned', look: 'hollow' },
]

/** The videos of the last days: a bar for each, with what was charged and what was returned. */
export function UsageChart({ drawing }: { drawing: StackedBars }) {
  const { bars } = drawing
  const charged = total(bars, 0)
  const returned = total(bars, 1)
  return (
    <Card title={`The last ${bars.length} days`}>
      {charged + returned === 0 ? (
        <p className="text-sm text-soft">No videos were charged or returned in these days.</p>
      ) : (
        <BarChart
          name="Videos per day"
          summary={`${plural(charged, 'video')} charged, ${figure(returned)} returned.${mostInWords(bars)}`}
          series={SERIES}
          drawing={drawing}
          unit="Day"
        />
      )}
    </Card>
  )
}

const total = (bars: readonly Bar[], order: number): number =>
  bars.reduce((sum, { values }) => sum + (values[order] ?? 0), 0)

function mostInWords(bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ values }) => values[0] ?? 0))
  const day = bars.find(({ values }) => values[0] === most)
  if (!day || most === 0) return ''
  return ` Most charged in a day: ${figure(most)} (${day.name.replace(/^Today/, 'today')}).`
}
