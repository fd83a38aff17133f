import { expect, test } from 'vitest'
import { timesInLine } from './line-estimate'

const day = (n: number, time = '00:00') => new Date(`2027-02-1${n}T${time}:00Z`)
const inputs = {
  endsAt: day(1, '10:00'),
  carried: 0,
  limit: 20,
  remaining: 12,
  resetsAt: day(2),
  pace: { speedLimit: 5, delaySeconds: 60 },
  videoMs: 60_000,
}
const startsOf = (more: Partial<Parameters<typeof timesInLine>[0]>) =>
  timesInLine({ ...inputs, waiting: [], ...more }).map(({ startsAt }) => startsAt)

test('batches start one after the other, as long as the day has units', () => {
  expect(startsOf({ waiting: [10, 2, 5] })).toEqual([
    day(1, '10:00'),
    // Two rounds and the last video.
    day(1, '10:02'),
    day(2),
  ])
})

test('a batch may take days, and leaves the rest of its last one to the next', () => {
  expect(startsOf({ waiting: [42, 5], remaining: 2 })).toEqual([
    day(1, '10:00'),
    // 2 of this day, 20 of each of the next two.
    day(4),
  ])
  // The running one ends on its third day, of which it takes 5 units.
  expect(
    startsOf({ waiting: [15, 1], carried: 45, endsAt: day(4, '00:05'), remaining: 0 }),
  ).toEqual([day(4, '00:05'), day(5)])
})

test('an account without units does not make it count for ever', () => {
  expect(startsOf({ waiting: [2], limit: 0, remaining: 0 })).toEqual([day(2)])
})
