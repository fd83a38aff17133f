import { figure, plural } from '~/lib/figures'
import { BarChart } from '../charts/bar-chart'
import type { Bar, Series, StackedBars } from '../charts/types'
import { Card } from '../ui/card'

const SERIES: readonly Series[] = [
  { name: 'Charged', look: 'full' },
  { name: 'Returned', look: 'hollow' },
]

/** The units of the last days: a bar for each, with what was charged and what was returned. */
export function UsageChart({ drawing }: { drawing: StackedBars }) {
  const { bars } = drawing
  const charged = total(bars, 0)
  const returned = total(bars, 1)
  return (
    <Card title={`The last ${bars.length} days`}>
      {charged + returned === 0 ? (
        <p className="text-sm text-soft">No units were charged or returned in these days.</p>
      ) : (
        <BarChart
          name="Quota units per day"
          summary={`${plural(charged, 'unit')} charged, ${figure(returned)} returned.${mostInWords(bars)}`}
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
