import { scaleBand, scaleLinear } from 'd3-scale'
import type { AxisLabel, Bar, Column, StackedBars } from './types'

/** Heights of plots in pixels, and about how many lines of the scale they have. */
const SIZES = { usual: { height: 160, lines: 4 }, low: { height: 72, lines: 2 } } as const
/** The part of a slot that is empty. */
const GAP = 0.3
/** A value above 0 is visible, however high the others are. */
const LEAST_HEIGHT = 3

/**
 * Computes the drawing of stacked bars, one for each column. Runs on the server, so that browsers
 * load no code for it.
 */
export function stackBars(
  columns: readonly Column[],
  size: keyof typeof SIZES = 'usual',
): StackedBars {
  const { height, lines } = SIZES[size]
  const places = scaleBand(columns.keys(), [0, 100])
    .paddingInner(GAP)
    .paddingOuter(GAP / 2)
  const most = Math.max(1, ...columns.map(({ values }) => sum(values)))
  const scale = scaleLinear([0, most], [height, 0]).nice(lines)
  const slotWidth = places.step()
  return {
    height,
    barWidth: rounded(places.bandwidth()),
    slotWidth: rounded(slotWidth),
    bars: columns.map((column) => barOf(column, height, scale)),
    ticks: scale
      .ticks(lines)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: rounded(scale(value)) })),
    labels: columns.flatMap(({ label, isCurrent = false }, index) =>
      label === undefined
        ? []
        : [{ text: label, isCurrent, ...edgeOf(index, columns.length, slotWidth) }],
    ),
  }
}

function barOf(column: Column, ground: number, scale: (value: number) => number): Bar {
  const { name, values, shown, isCurrent, to } = column
  let top = ground
  const parts = values.map((value) => {
    if (value === 0) return null
    const height = Math.max(LEAST_HEIGHT, ground - scale(value))
    top -= height
    return { y: rounded(top), height: rounded(height) }
  })
  return { name, values, shown, isCurrent, to, parts }
}

function edgeOf(index: number, count: number, width: number): Pick<AxisLabel, 'x' | 'anchor'> {
  if (index === count - 1) return { x: 100, anchor: 'end' }
  if (index === 0) return { x: 0, anchor: 'start' }
  return { x: rounded((index + 0.5) * width), anchor: 'middle' }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A hundredth is less than a pixel, and more digits would make the page larger. */
const rounded = (length: number): number => Math.round(length * 100) / 100
