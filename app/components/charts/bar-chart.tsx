import type { ReactNode } from 'react'
import { figure } from '~/lib/figures'
import { useElementId } from '../ui/use-element-id'
import { ChartTable } from './chart-table'
import { shownValue, type AxisLabel, type Bar, type Series, type StackedBars } from './types'

type Props = {
  /** The name of the chart and of its table. */
  name: string
  /** What the chart tells, in a sentence. */
  summary: ReactNode
  series: readonly Series[]
  /** What `stackBars` returns. */
  drawing: StackedBars
  /** What a bar stands for: Day. */
  unit: string
}

/**
 * Stacked bars that need no script: the numbers come from the server, a bar's values appear while the
 * mouse is over it, and the table has all of them.
 */
export function BarChart({ name, summary, series, drawing, unit }: Props) {
  const id = useElementId()
  return (
    <figure aria-labelledby={`${id}-name`}>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 text-sm">
        <span id={`${id}-name`} className="text-soft">
          {name}
        </span>
        <Legend series={series} />
      </figcaption>
      <Plot drawing={drawing} series={series} name={name} describedBy={`${id}-summary`} />
      <p id={`${id}-summary`} className="mt-3 text-sm tabular-nums">
        {summary}
      </p>
      <ChartTable caption={name} unit={unit} series={series} rows={drawing.bars} />
    </figure>
  )
}

/** Below the plot, for the labels. */
const AXIS_HEIGHT = 24

type PlotProps = Pick<Props, 'drawing' | 'series' | 'name'> & { describedBy: string }

function Plot({ drawing, series, name, describedBy }: PlotProps) {
  const { height, ticks, bars, labels } = drawing
  return (
    <div className="mt-4 flex text-xs tabular-nums">
      <span aria-hidden className="invisible pr-2">
        {figure(ticks.at(-1)?.value ?? 0)}
      </span>
      <svg
        role="img"
        aria-label={name}
        aria-describedby={describedBy}
        width="100%"
        height={height + AXIS_HEIGHT}
        className="min-w-0 flex-1 overflow-visible"
      >
        {ticks.map(({ y, value }) => (
          <g key={value}>
            <line
              x2="100%"
              y1={y}
              y2={y}
              className={value === 0 ? 'stroke-edge' : 'stroke-line'}
              shapeRendering="crispEdges"
            />
            <text x={-8} y={y} dy="0.35em" textAnchor="end" className="fill-soft">
              {figure(value)}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <BarColumn key={index} bar={bar} series={series} place={{ index, ...drawing }} />
        ))}
        <g>
          {labels.map((label) => (
            <BarLabel key={label.x} label={label} y={height + AXIS_HEIGHT - 6} />
          ))}
        </g>
      </svg>
    </div>
  )
}

type ColumnProps = {
  bar: Bar
  series: readonly Series[]
  place: { index: number; height: number; slotWidth: number; barWidth: number }
}

/** A bar, and behind it what the mouse has to meet: its place from the top to the bottom. */
function BarColumn({ bar, series, place }: ColumnProps) {
  const { index, height, slotWidth, barWidth } = place
  const left = index * slotWidth
  return (
    <g className="group/bar">
      <title>{valuesInWords(bar, series)}</title>
      <rect
        x={`${left}%`}
        width={`${slotWidth}%`}
        height={height}
        className={`${bar.isCurrent ? 'fill-ink/5' : 'fill-transparent'} group-hover/bar:fill-ink/10`}
      />
      {series.map(({ name, look }, order) => {
        const part = bar.parts[order]
        return (
          part && (
            <rect
              key={name}
              x={`${left + (slotWidth - barWidth) / 2}%`}
              width={`${barWidth}%`}
              y={part.y}
              height={part.height}
              className={LOOKS[look]}
            />
          )
        )
      })}
    </g>
  )
}

const valuesInWords = (bar: Bar, series: readonly Series[]): string =>
  [bar.name, ...series.map(({ name }, order) => `${name}: ${shownValue(bar, order)}`)].join('\n')

/** On phones every second label is left out; on the narrowest screens all but the first and the last. */
const WHERE_NARROW = 'max-xs:even:hidden tiny:[&:not(:first-child,:last-child)]:hidden'

function BarLabel({ label: { text, x, anchor, isCurrent }, y }: { label: AxisLabel; y: number }) {
  return (
    <text
      x={`${x}%`}
      y={y}
      textAnchor={anchor}
      className={`${WHERE_NARROW} ${isCurrent ? 'fill-ink font-semibold' : 'fill-soft'}`}
    >
      {text}
    </text>
  )
}

/** How the bars of a series look. They also differ without colours. */
const LOOKS: Readonly<Record<Series['look'], string>> = {
  full: 'fill-accent stroke-accent',
  hollow: 'fill-surface stroke-soft',
}

/** The names of the series, each with a piece of its bars. */
function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {series.map(({ name, look }) => (
        <li key={name} className="flex items-center gap-2">
          <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0">
            <rect x="0.5" y="0.5" width="11" height="11" className={LOOKS[look]} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
