import { describe, expect, test } from 'vitest'
import { stackBars } from './stack-bars.server'
import type { Column } from './types'

const column = (...values: number[]): Column => ({ name: 'a day', values })

const ticksOf = (...highest: number[]) =>
  stackBars(highest.map((value) => column(value))).ticks.map(({ value }) => value)

describe('bars', () => {
  test('stand on the ground, one part on the other, in proportion to their values', () => {
    const { bars, height } = stackBars([column(30, 10), column(0, 40)])
    expect(bars.map(({ parts }) => parts)).toEqual([
      [
        { y: height / 4, height: (height * 3) / 4 },
        { y: 0, height: height / 4 },
      ],
      [null, { y: 0, height }],
    ])
  })

  test('are of equal width and fill the plot', () => {
    const { bars, slotWidth, barWidth } = stackBars(Array.from({ length: 30 }, () => column(1, 1)))
    expect(bars.length * slotWidth).toBeCloseTo(100, 0)
    expect(barWidth).toBeCloseTo(slotWidth * 0.7, 1)
  })

  test('are visible however small beside the others, and absent without a value', () => {
    const { bars, height } = stackBars([column(100_000, 0), column(1, 1)])
    expect(bars[0]?.parts).toEqual([{ y: 0, height }, null])
    expect(bars[1]?.parts).toEqual([
      { y: height - 3, height: 3 },
      { y: height - 6, height: 3 },
    ])
  })

  test('keep what they stand for', () => {
    const day = { name: '14 November 2026', values: [3, 0], isCurrent: true, to: '/usage' }
    expect(stackBars([day]).bars).toEqual([expect.objectContaining(day)])
  })
})

describe('the scale', () => {
  test.each([
    [[0], [0, 1]],
    [[1], [0, 1]],
    [[3], [0, 1, 2, 3]],
    [
      [40, 7],
      [0, 10, 20, 30, 40],
    ],
    [[2_925], [0, 1_000, 2_000, 3_000]],
  ])('of %j has the whole numbers %j', (values, ticks) => expect(ticksOf(...values)).toEqual(ticks))

  test('starts at the ground and ends at the top', () => {
    const { ticks, height } = stackBars([column(40)])
    expect(ticks.at(0)).toEqual({ value: 0, y: height })
    expect(ticks.at(-1)).toEqual({ value: 40, y: 0 })
  })
})

test('labels stand under their bars, those at the edges within the plot', () => {
  const labelled = ['a', undefined, 'b', 'c'].map((label, index) => ({
    ...column(1),
    label,
    isCurrent: index === 3,
  }))
  expect(stackBars(labelled).labels).toEqual([
    { text: 'a', x: 0, anchor: 'start', isCurrent: false },
    { text: 'b', x: 62.5, anchor: 'middle', isCurrent: false },
    { text: 'c', x: 100, anchor: 'end', isCurrent: true },
  ])
})

test('without bars there is an empty scale', () => {
  expect(stackBars([])).toMatchObject({ bars: [], labels: [], ticks: [{ value: 0 }, { value: 1 }] })
})
