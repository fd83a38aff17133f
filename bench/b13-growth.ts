import { growth, type Timing } from './measure'

/** B13: returns how each time grows with the size of the table: 0 is flat, 1 is linear. */
export function growthOf(timings: readonly Timing[]): Record<string, number> {
  const names = [...new Set(timings.map(({ name }) => name))]
  return Object.fromEntries(
    names
      .map((name) => [name, timings.filter((timing) => timing.name === name)] as const)
      .filter(([, points]) => points.length > 1)
      .map(([name, points]) => [name, growth(points)]),
  )
}
