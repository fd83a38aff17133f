import { expect, test } from 'vitest'
import { inOrder, lengthText, refusalOf } from './rules'

const IDS = ['a', 'b', 'c', 'd', 'e']
const order = (places: (number | null)[], step: Parameters<typeof inOrder>[2] = null) =>
  inOrder(IDS, places, step).join('')

test('U-JOIN-14: a clip comes to the place that was typed beside it', () => {
  expect(order([1, 2, 3, 4, 5])).toBe('abcde')
  expect(order([1, 2, 3, 4, 2])).toBe('aebcd')
  expect(order([4, 2, 3, 4, 5])).toBe('bcdae')
  expect(order([5, 4, 3, 2, 1])).toBe('edcba')
  expect(order([99, null, 3, 4, -5])).toBe('ebcda')
  expect(order([])).toBe('abcde')
})

test('U-JOIN-14: a button moves one clip after the typed places', () => {
  expect(order([], { way: 'up', place: 3 })).toBe('acbde')
  expect(order([], { way: 'down', place: 3 })).toBe('abdce')
  expect(order([], { way: 'up', place: 1 })).toBe('abcde')
  expect(order([], { way: 'down', place: 5 })).toBe('abcde')
  expect(order([], { way: 'down', place: 9 })).toBe('abcde')
  expect(order([2, 1, 3, 4, 5], { way: 'down', place: 1 })).toBe('bcade')
})

test('U-JOIN-7: what does not fit is refused before it is read', () => {
  const clip = { aspectRatio: 'portrait', bytes: 10_000_000 } as const
  const clips = (n: number) => Array.from({ length: n }, () => clip)
  expect(refusalOf(clips(1))).toMatch(/at least two/)
  expect(refusalOf(clips(50))).toBeNull()
  expect(refusalOf(clips(51))).toMatch(/at most 50 clips/)
  expect(refusalOf([clip, { aspectRatio: 'landscape', bytes: 1 }])).toMatch(/9:16 and of 16:9/)
  expect(refusalOf([...clips(49), { aspectRatio: 'portrait', bytes: 10_600_000 }])).toMatch(
    /501 MB/,
  )
})

test('a length is shown in minutes and seconds', () => {
  expect([0, 999, 8_041, 64_000, 3_600_000].map(lengthText)).toEqual([
    '0:00',
    '0:01',
    '0:08',
    '1:04',
    '60:00',
  ])
})
