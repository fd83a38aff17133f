import { expect, test } from 'vitest'
import { timeWithin } from './overview'

/** As `count_end` (prisma/functions/endings.sql) counts it. */
function counted(...seconds: number[]): number[] {
  const counts = Array.from({ length: 56 }, () => 0)
  for (const took of seconds) {
    const step = Math.min(56, Math.ceil(4 * Math.log2(Math.max(1.001, took)))) - 1
    counts[step] = (counts[step] ?? 0) + 1
  }
  return counts
}

test('times are known to a fifth from what is counted', () => {
  const times = Array.from({ length: 100 }, (_, i) => 30 + i)
  const counts = counted(...times)
  for (const [share, exact] of [
    [0.5, 80],
    [0.95, 125],
  ] as const)
    expect(Math.abs((timeWithin(counts, share) ?? 0) / exact - 1)).toBeLessThan(0.2)
})

test('one of a second, one of a day, and none', () => {
  expect(timeWithin(counted(0.3), 0.5)).toBeLessThan(1.2)
  expect(timeWithin(counted(86_400), 0.5)).toBeGreaterThan(14_000)
  expect(timeWithin(counted(), 0.5)).toBeNull()
})
