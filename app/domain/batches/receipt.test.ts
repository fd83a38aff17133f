import { expect, test } from 'vitest'
import { receiptFor } from './receipt'
import { TEST_INPUTS } from './test-inputs'

const now = new Date('2026-11-21T12:00:00Z')

test('returns the receipt of seven prompts at three per minute', () =>
  expect(receiptFor(7, TEST_INPUTS, now)).toEqual({
    prompts: 7,
    usedAfter: 20,
    remainingAfter: 0,
    fits: true,
    rounds: 3,
    lastStartAt: new Date('2026-11-21T12:02:00Z'),
    finishAt: new Date('2026-11-21T12:02:30Z'),
    later: null,
    line: null,
    planEnd: null,
  }))

test.each([
  [6, true],
  [7, true],
  [8, false],
])('U-QUOTA-4: %i prompts fit into the seven units left today: %s', (prompts, fits) =>
  expect(receiptFor(prompts, TEST_INPUTS, now).fits).toBe(fits),
)

test('a closed provider delays the end but does not change the pace', () => {
  const closedUntil = '2026-11-21T12:10:00Z'
  const receipt = receiptFor(1, { ...TEST_INPUTS, closedUntil }, now)
  expect(receipt.finishAt).toEqual(new Date('2026-11-21T12:10:30Z'))
  expect(receipt.rounds).toBe(1)
})

test('Row d: with a provider that makes one video at a time, durations add up', () => {
  const queue = { ...TEST_INPUTS, isQueue: true, betweenMs: 6_000, videoMs: 6_000 }
  const unpaced = { ...queue, speedLimit: 100, delaySeconds: 0, remaining: 100 }
  expect(receiptFor(100, unpaced, now).finishAt).toEqual(new Date('2026-11-21T12:10:00Z'))
})

test('times of today are those of today’s prompts, and the others have their days', () => {
  const { finishAt, later } = receiptFor(40, { ...TEST_INPUTS, perDay: 5 }, now)
  expect(finishAt).toEqual(receiptFor(7, TEST_INPUTS, now).finishAt)
  expect(later).toEqual({ lastAt: new Date('2026-11-28T00:00:00Z'), beyondPlan: null })
  const nothing = receiptFor(3, { ...TEST_INPUTS, remaining: 0 }, now)
  expect(nothing).toMatchObject({ lastStartAt: null, finishAt: null })
  expect(nothing.later?.lastAt).toEqual(new Date('2026-11-22T00:00:00Z'))
})

test('behind other batches it starts when they have ended and a day has units', () => {
  const ahead = { endsAt: '2026-11-21T13:00:00Z', carried: 0, isBeyondPlan: false, waiting: [7] }
  const behind = (more: object) => receiptFor(2, { ...TEST_INPUTS, ahead, ...more }, now)
  expect(behind({})).toMatchObject({
    line: { startsAt: new Date('2026-11-22T00:00:00Z') },
    finishAt: new Date('2026-11-22T00:00:30Z'),
    later: null,
  })
  expect(behind({ ahead: { ...ahead, waiting: [] } }).line?.startsAt).toEqual(
    new Date('2026-11-21T13:00:00Z'),
  )
  const paused = { ...ahead, endsAt: null }
  expect(behind({ ahead: paused })).toMatchObject({ line: { startsAt: null }, finishAt: null })
})

test('no time after the end of the plan is promised', () => {
  const planEnd = '2026-11-20T12:01:00Z'
  const cut = receiptFor(7, { ...TEST_INPUTS, planEnd }, now)
  expect(cut).toMatchObject({ lastStartAt: null, finishAt: null, planEnd: new Date(planEnd) })
  const over = receiptFor(10, { ...TEST_INPUTS, planEnd }, now)
  expect(over.later).toEqual({
    lastAt: null,
    beyondPlan: { prompts: 3, planEnd: new Date(planEnd).toISOString() },
  })
})
