import { expect, test } from 'vitest'
import { hours, minutes } from '~/lib/time'
import { countDeliveries } from './deliveries'

const START = Date.UTC(2026, 10, 27, 10, 27, 40)
const at = (...after: number[]) => after.map((ms) => START + ms)

test('deliveries are counted in spans that begin at whole minutes', () => {
  const { stepMs, spans } = countDeliveries(START, at(minutes(1), minutes(1.2), minutes(3)))
  expect(stepMs).toBe(minutes(1))
  expect(spans).toEqual([
    { from: '2026-11-27T10:27:00.000Z', videos: 0 },
    { from: '2026-11-27T10:28:00.000Z', videos: 2 },
    { from: '2026-11-27T10:29:00.000Z', videos: 0 },
    { from: '2026-11-27T10:30:00.000Z', videos: 1 },
  ])
})

test.each([
  [minutes(20), minutes(1)],
  [minutes(40), minutes(2)],
  [hours(5), minutes(30)],
  [hours(100), hours(6)],
  [hours(24 * 40), hours(24)],
])('a batch of %d ms has spans of %d ms, and none gets lost', (length, step) => {
  const times = at(0, length / 3, length / 2, length)
  const { stepMs, spans } = countDeliveries(START, times)
  expect(stepMs).toBe(step)
  expect(spans.length).toBeLessThan(45)
  expect(spans.reduce((sum, { videos }) => sum + videos, 0)).toBe(4)
})

test('a batch without deliveries has no spans', () => {
  expect(countDeliveries(START, []).spans).toEqual([])
})
