import { expect, test } from 'vitest'
import { days } from '~/lib/time'
import { pauseAfter } from './rules'

test('a message has eight tries, the last about a day after the first', () => {
  const pauses = Array.from({ length: 7 }, (_, i) => pauseAfter(i + 1) ?? 0)
  expect(pauses.every((pause, i) => pause > (pauses[i - 1] ?? 0))).toBe(true)
  const all = pauses.reduce((sum, pause) => sum + pause, 0)
  expect(all).toBeGreaterThan(days(0.9))
  expect(all).toBeLessThan(days(1.1))
  expect(pauseAfter(8)).toBeNull()
})
