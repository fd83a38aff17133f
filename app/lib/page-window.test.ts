import { expect, test } from 'vitest'
import { pageNeighbours, pageWindow } from './page-window'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 30, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'gap', 30]],
  [15, 30, [1, 'gap', 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 'gap', 30]],
  [30, 30, [1, 'gap', 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]],
  [7, 12, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter((n) => n !== 0)],
  [1, 11, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
  [9, 0, []],
])('U-GAL-7: page %i of %i', (page, total, items) => {
  expect(pageWindow(page, total)).toEqual(items)
})

test.each([
  [15, 30, [1, 'gap', 14, 15, 16, 'gap', 30]],
  [1, 30, [1, 2, 'gap', 30]],
  [3, 30, [1, 2, 3, 4, 'gap', 30]],
  [30, 30, [1, 'gap', 29, 30]],
  [2, 2, [1, 2]],
])('A-VID-16: page %i of %i', (page, total, items) => {
  expect(pageNeighbours(page, total)).toEqual(items)
})
