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
