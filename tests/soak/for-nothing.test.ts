import { expect, test } from 'vitest'
import { paidForNothing } from './for-nothing'

const trouble = (name: string, from: number, to?: number) => ({
  name,
  from,
  to,
  isOutage: false,
})
const orders = (count: number, at: number) => Array.from({ length: count }, (_, i) => at + i)
/** Orders of which the first went a while ago. */
const later = (...groups: number[][]) => [600, ...groups.flat()]

test.each([
  ['eight orders of one trouble', later(orders(8, 2_000)), [trouble('one', 0, 9_000)], []],
  [
    'nine orders of one trouble',
    later(orders(9, 2_000)),
    [trouble('one', 0, 9_000)],
    ['one: 9 orders'],
  ],
  [
    'seventeen orders that left together, after which the line closed',
    orders(17, 3_000),
    [trouble('one', 0, 9_000)],
    [],
  ],
  [
    'nine orders of a trouble that has not ended',
    later(orders(9, 2_000)),
    [trouble('one', 0)],
    ['one: 9 orders'],
  ],
  [
    'sixteen orders of two troubles at once',
    later(orders(16, 2_000)),
    [trouble('one', 0, 9_000), trouble('two', 500, 8_000)],
    [],
  ],
  [
    'seventeen orders of two troubles at once',
    later(orders(17, 2_000)),
    [trouble('one', 0, 9_000), trouble('two', 500, 8_000)],
    ['two: 9 orders'],
  ],
  [
    'eight of both, and nine of the longer one alone',
    later(orders(8, 2_000), orders(9, 8_100)),
    [trouble('one', 0, 9_000), trouble('two', 500, 8_000)],
    ['one: 9 orders'],
  ],
  ['nine orders while nothing was wrong', later(orders(9, 20_000)), [trouble('one', 0, 9_000)], []],
])('the soak sees what was paid for nothing in each trouble: %s', (_, vain, played, found) => {
  expect(paidForNothing(vain, played)).toEqual(found)
})
