import { expect, test } from 'vitest'
import { progressOf } from './shown-progress'

test.each([
  ['as reported by the provider', 45, 12, 40_000, { percent: 45, text: '45%' }],
  ['as reported although late', 99, 400, 40_000, { percent: 99, text: '99%' }],
  ['estimated from the usual time', null, 12, 40_000, { percent: 30, text: '12 s of about 40 s' }],
  ['in minutes', null, 130, 240_000, { percent: 54, text: '2 min of about 4 min' }],
  ['an estimate below 100%', null, 41, 40_000, { percent: 95, text: '41 s, longer than usual' }],
  ['with a usual time of zero', null, 0, 0, { percent: 0, text: '0 s of about 1 s' }],
])('progress of a video: %s', (_name, percent, seconds, usualMs, shown) => {
  expect(progressOf({ percent, seconds }, usualMs)).toEqual(shown)
})
