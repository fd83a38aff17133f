import { expect, test } from 'vitest'
import { days, minutes } from '~/lib/time'
import { pauseAfter } from './rules'

const pausesOf = (isAlarm: boolean) =>
  Array.from({ length: 8 }, (_, i) => pauseAfter(i + 1, { isAlarm }))

test('a message to a user has eight tries, the last about a day after the first', () => {
  const [last, ...pauses] = pausesOf(false)
    .map((pause) => pause ?? Infinity)
    .reverse()
  expect(last).toBe(Infinity)
  expect(pauses.every((pause, i) => pause < (pauses[i - 1] ?? Infinity))).toBe(true)
  const all = pauses.reduce((sum, pause) => sum + pause, 0)
  expect(all).toBeGreaterThan(days(0.9))
  expect(all).toBeLessThan(days(1.1))
})

test('an alarm begins alike, and is tried again every ten minutes', () => {
  expect(pausesOf(true).slice(0, 2)).toEqual(pausesOf(false).slice(0, 2))
  expect(new Set(pausesOf(true).slice(2))).toEqual(new Set([minutes(10)]))
})
