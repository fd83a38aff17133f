/** The times of one subject, in milliseconds. */
export type Timing = { name: string; n: number; p50: number; p99: number; runs: number }

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  )

export const p99 = (values: readonly number[]): number =>
  at(
    [...values].sort((a, b) => a - b),
    0.99,
  )

type Subject = { name: string; run: () => Promise<unknown> }

const WARM_UP = 5

/**
 * Times several subjects alternately, one run of each in turn, so that a busy period of the machine
 * affects all of them. `n` is the size of the data they run on.
 */
export async function time(
  subjects: readonly Subject[],
  { n, runs }: { n: number; runs: number },
): Promise<Timing[]> {
  const taken = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
  for (let i = -WARM_UP; i < runs; i++) {
    for (const { name, run } of subjects) {
      const startedAt = performance.now()
      await run()
      if (i >= 0) taken.get(name)?.push(performance.now() - startedAt)
    }
  }
  return [...taken].map(([name, values]) => {
    const sorted = values.sort((a, b) => a - b)
    return { name, n, runs, p50: round(at(sorted, 0.5)), p99: round(at(sorted, 0.99)) }
  })
}

export const round = (value: number): number => Math.round(value * 100) / 100

/** Returns the slope of the line fitted to log(size) and log(time): 0 is flat, 1 is linear. */
export function growth(points: readonly Pick<Timing, 'n' | 'p50'>[]): number {
  const logs = points.map(({ n, p50 }) => ({ x: Math.log(n), y: Math.log(p50) }))
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + pick(point), 0) / logs.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const over = logs.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  const under = logs.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return under === 0 ? 0 : round(over / under)
}
