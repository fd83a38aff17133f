import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { figure, plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { BarChart } from '../charts/bar-chart'
import type { Bar, Series, StackedBars } from '../charts/types'
import { Card } from '../ui/card'
import { textLinkClass } from '../ui/text-link'

const OUTCOMES: readonly Series[] = [
  { name: 'Delivered', look: 'full' },
  { name: 'Failed tries', look: 'hollow' },
]
const TIMES: readonly Series[] = [
  { name: 'Half of them within', look: 'full' },
  { name: '95 of 100 within', look: 'hollow' },
]
const LINE: readonly Series[] = [
  { name: 'Ready', look: 'full' },
  { name: 'On hold', look: 'hollow' },
]
const ONLINE: readonly Series[] = [{ name: 'Users online', look: 'full' }]
const COSTS: readonly Series[] = [{ name: 'Cost', look: 'full' }]
const UNITS: readonly Series[] = [
  { name: 'Used', look: 'full' },
  { name: 'Sold', look: 'hollow' },
]
const SALES: readonly Series[] = [
  { name: 'New customers', look: 'full' },
  { name: 'Renewals', look: 'hollow' },
]
const MARGINS: readonly Series[] = [
  { name: 'Cost', look: 'hollow' },
  { name: 'Margin', look: 'full' },
]

type Props = { drawing: StackedBars }

/**
 * Deliveries and failures, a bar for each hour or day. A video that was made again counts once for each
 * time that it ended.
 */
export function OutcomeChart({ drawing, unit }: Props & { unit: 'hour' | 'day' }) {
  const [delivered, failed] = [total(drawing, 0), total(drawing, 1)]
  return (
    <BarChart
      name={`Videos delivered and failed per ${unit}`}
      summary={`${plural(delivered, 'video')} delivered, ${plural(failed, 'failed try', 'failed tries')}${shareOf(failed, delivered + failed)}, with refused prompts and repeats.`}
      series={OUTCOMES}
      drawing={drawing}
      unit={unit === 'hour' ? 'Hour' : 'Day'}
    />
  )
}

const shareOf = (part: number, all: number): string =>
  part === 0 ? '' : ` (${(100 * (part / all)).toFixed(1)} %)`

export const TimesChart = ({ drawing }: Props) => (
  <BarChart
    name="Seconds from the order to the clip"
    summary={`Of the deliveries of each hour. ${slowestOf(drawing)}`}
    series={TIMES}
    drawing={drawing}
    unit="Hour"
  />
)

function slowestOf({ bars }: StackedBars): string {
  const slowest = highest(bars)
  if (!slowest) return 'None was delivered.'
  return `The slowest hour was ${lowerFirst(slowest.name)}: 95 of 100 within ${slowest.shown?.[1] ?? ''} s.`
}

export const LineChart = ({ drawing }: Props) => (
  <BarChart
    name="The longest line of each hour"
    summary={mostOf(drawing, 'video')}
    series={LINE}
    drawing={drawing}
    unit="Hour"
  />
)

export const OnlineChart = ({ drawing }: Props) => (
  <BarChart
    name="The most users online in each hour"
    summary={mostOf(drawing, 'user')}
    series={ONLINE}
    drawing={drawing}
    unit="Hour"
  />
)

/** What the deliveries have cost, as far as that is known. `currency` is that of the cost of one video. */
export const CostChart = ({ drawing, currency }: Props & { currency: string | null }) => (
  <BarChart
    name="Cost of deliveries per day"
    summary={`${figure(total(drawing, 0).toFixed(2))} ${currency === null ? '' : `${currency} `}in ${drawing.bars.length} days, from the cost per video of the tokens. ${currency === null ? 'Tokens without a cost count as free.' : 'For tokens without a cost it is that of the Plans page.'}`}
    series={COSTS}
    drawing={drawing}
    unit="Day"
  />
)

/** Units of deliveries, beside those that plans gave on each day. */
export const UnitsChart = ({ drawing }: Props) => (
  <BarChart
    name="Units per day"
    summary="A delivery uses one unit, or as many as its plan says. A dash: the day’s sales were not counted yet."
    series={UNITS}
    drawing={drawing}
    unit="Day"
  />
)

/** What was paid for each plan, and by whom: a chart for each plan that was sold. */
export function SalesCharts({ sales, unpaid }: SalesProps) {
  const count = (order: number) =>
    sales.reduce((all, { drawing }) => all + total(drawing, order), 0)
  return (
    <>
      <p className="text-sm tabular-nums">
        {sales.length === 0
          ? 'No payments were recorded.'
          : `${plural(count(0), 'new customer')} and ${plural(count(1), 'renewal')}, upgrades included.`}{' '}
        {unpaid > 0 && (
          <>
            <Link to={paths.admin.unpaid} className="underline">
              {plural(unpaid, 'renewal')} without a payment
            </Link>{' '}
            {unpaid === 1 ? 'is' : 'are'} not counted.
          </>
        )}
      </p>
      <div className="mt-4 grid grid-cols-1 gap-x-8 gap-y-4 lg:grid-cols-2 2xl:grid-cols-4">
        {sales.map(({ plan, drawing }) => (
          <BarChart
            key={plan}
            name={`${plan}: payments per week`}
            summary={`${plural(total(drawing, 0), 'new customer')}, ${plural(total(drawing, 1), 'renewal')}.`}
            series={SALES}
            drawing={drawing}
            unit="Week"
          />
        ))}
      </div>
    </>
  )
}

type SalesProps = { sales: readonly { plan: string; drawing: StackedBars }[]; unpaid: number }

type MarginProps = Props & { income: number; cost: number; currency: string }

/** What remains of what was received, after the cost of what was delivered. */
export const MarginChart = ({ drawing, income, cost, currency }: MarginProps) => (
  <BarChart
    name={`Cost and margin per week in ${currency}`}
    summary={`${figure(income.toFixed(2))} ${currency} kept, ${figure(cost.toFixed(2))} cost, margin ${figure((income - cost).toFixed(2))}${income > 0 ? ` (${Math.round(100 * ((income - cost) / income))} %)` : ''}. Payments in other currencies are not counted.`}
    series={MARGINS}
    drawing={drawing}
    unit="Week"
  />
)

function mostOf({ bars }: StackedBars, noun: string): string {
  const most = highest(bars)
  return most ? `At most ${plural(sum(most), noun)}: ${lowerFirst(most.name)}.` : 'None so far.'
}

type SectionProps = { title: string; links?: readonly Lead[]; children: ReactNode }
type Lead = { to: string; label: string }

/** A card with a chart or figures, and links to what they count. */
export function OverviewCard({ title, links = [], children }: SectionProps) {
  return (
    <Card title={title} className="min-w-0">
      {children}
      {links.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-x-4 text-sm">
          {links.map(({ to, label }) => (
            <Link key={to} to={to} className={textLinkClass}>
              {label}
            </Link>
          ))}
        </p>
      )}
    </Card>
  )
}

const sum = ({ values }: Bar): number => values.reduce((all, value) => all + value, 0)

const total = ({ bars }: StackedBars, order: number): number =>
  bars.reduce((all, { values }) => all + (values[order] ?? 0), 0)

/** The highest bar, or null if all are empty. */
function highest(bars: readonly Bar[]): Bar | null {
  const most = Math.max(...bars.map(sum))
  return most > 0 ? (bars.find((bar) => sum(bar) === most) ?? null) : null
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
