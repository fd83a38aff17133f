import { expect, test } from 'vitest'
import { withoutNumbers } from '../notifications/alarm-messages'
import { isQuietAt, lastedFor, nextStep, type AlarmRow } from './rules'

/** Plays a day: at each minute whether it lasts and whether it is quiet. Returns what is told when. */
function play(minutes: { at: number; isOn: boolean; isQuiet?: boolean }[], afterMin = 0) {
  let row: AlarmRow | null = null
  return minutes.flatMap(({ at, isOn, isQuiet = false }) => {
    const now = new Date(at * 60_000)
    const step = nextStep(row, { isOn, now, isQuiet, afterMs: afterMin * 60_000 })
    row = step?.row ?? row
    return step?.tell ? [`${at} ${step.tell} ${step.forMs / 60_000}`] : []
  })
}
const lasts = (from: number, until: number, more = {}) =>
  Array.from({ length: until - from }, (_, i) => ({ at: from + i, isOn: true, ...more }))

test('told when it begins, once an hour while it lasts, and when it is solved', () => {
  const day = [...lasts(0, 125), { at: 125, isOn: false }, { at: 126, isOn: false }]
  expect(play(day)).toEqual(['0 begins 0', '60 lasts 60', '120 lasts 120', '125 solved 125'])
})

test('told after it has lasted for five minutes; a shorter one is never told', () => {
  expect(play([...lasts(0, 4), { at: 4, isOn: false }], 5)).toEqual([])
  expect(play([...lasts(0, 12), { at: 12, isOn: false }], 5)).toEqual([
    '5 begins 5',
    '12 solved 12',
  ])
})

test('one that comes and goes is told once an hour', () => {
  const day = Array.from({ length: 120 }, (_, at) => ({ at, isOn: at % 2 === 0 }))
  expect(play(day)).toEqual(['0 begins 0', '1 solved 1', '60 begins 0', '61 solved 1'])
})

test('O17: one that begins anew is told, however lately the last one was', () => {
  const calm = (from: number, until: number) =>
    lasts(from, until).map(({ at }) => ({ at, isOn: false }))
  const day = [...lasts(0, 2), ...calm(2, 22), ...lasts(22, 24), ...calm(24, 26)]
  expect(play(day)).toEqual(['0 begins 0', '2 solved 2', '22 begins 0', '24 solved 2'])
  // After ten minutes it is the same one again.
  expect(play([...lasts(0, 2), ...calm(2, 12), ...lasts(12, 61)])).toEqual([
    '0 begins 0',
    '2 solved 2',
    '60 begins 48',
  ])
  // It lasts for a while before it is told, and its new beginning is no longer one of the last hour.
  expect(play([...lasts(0, 6), ...calm(6, 26), ...lasts(26, 32)], 5)).toEqual([
    '5 begins 5',
    '6 solved 6',
    '31 begins 5',
  ])
})

test('quiet hours: what still lasts is told afterwards, and so is the end of what was told', () => {
  const night = (from: number, until: number) => lasts(from, until, { isQuiet: true })
  expect(play([...night(0, 30), { at: 30, isOn: false, isQuiet: true }])).toEqual([])
  expect(play([...night(0, 90), ...lasts(90, 92)])).toEqual(['90 begins 90'])
  expect(
    play([...lasts(0, 5), { at: 5, isOn: false, isQuiet: true }, { at: 90, isOn: false }]),
  ).toEqual(['0 begins 0', '90 solved 5'])
})

test.each([
  ['23:00', '07:00', '22:59', false],
  ['23:00', '07:00', '23:00', true],
  ['23:00', '07:00', '06:59', true],
  ['23:00', '07:00', '07:00', false],
  ['13:00', '14:00', '13:30', true],
  ['13:00', '13:00', '13:00', false],
  [null, '07:00', '03:00', false],
])('quiet from %s until %s: at %s %s', (quietFrom, quietUntil, time, expected) => {
  expect(isQuietAt(time, { quietFrom, quietUntil })).toBe(expected)
})

test('durations, and numbers without their beginning', () => {
  expect([lastedFor(0), lastedFor(12.9 * 60_000), lastedFor(7_500_000)]).toEqual([
    '1 min',
    '12 min',
    '2 h',
  ])
  expect(withoutNumbers('+923001234567 had 123456 of 2026')).toBe('+…4567 had 123456 of 2026')
})
