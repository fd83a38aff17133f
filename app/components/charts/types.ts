import { figure } from '~/lib/figures'

/** What one bar shows. */
export type Column = {
  /** What the bar stands for, as readers see it: 14 November 2026. */
  name: string
  /** Numbers from 0, one for each series, from the bottom up. */
  values: readonly number[]
  /** What readers see instead of the values, where those are only parts of it. */
  shown?: readonly string[] | undefined
  /** The text under the bar. Leave it out where there is no room. */
  label?: string | undefined
  /** Whether the bar stands for the present day or hour. */
  isCurrent?: boolean | undefined
  /** The page with what the bar counts. */
  to?: string | undefined
}

/** The part of a bar for one series: how far it is from the top of the plot, and its height. */
type Part = { y: number; height: number }

export type Bar = Omit<Column, 'label'> & {
  /** One for each series; null for a value of 0. */
  parts: readonly (Part | null)[]
}

/** A text under the bars. The first and the last bar's end at the edges of the plot. */
export type AxisLabel = {
  text: string
  x: number
  anchor: 'start' | 'middle' | 'end'
  isCurrent: boolean
}

/**
 * Stacked bars as numbers, ready to be drawn. Widths are percentages of the plot, so that one drawing
 * fits every screen. Heights are pixels, so that texts keep their size.
 */
export type StackedBars = {
  /** Height of the plot. */
  height: number
  barWidth: number
  /** Width of a bar with the gap around it. */
  slotWidth: number
  bars: readonly Bar[]
  /** The scale: whole numbers from 0 to at least the highest bar. */
  ticks: readonly { y: number; value: number }[]
  labels: readonly AxisLabel[]
}

/** The values of one kind, over all bars. */
export type Series = { name: string; look: 'full' | 'hollow' }

/** Returns the value of a series as readers see it. */
export const shownValue = ({ values, shown }: Bar, order: number): string =>
  shown?.[order] ?? figure(values[order] ?? 0)
