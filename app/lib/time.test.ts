import { expect, test } from 'vitest'
import { timeAhead } from './time'

test.each([
  ['2026-11-21T23:59:00Z', 'UTC', '23:59'],
  ['2026-11-22T00:30:00Z', 'UTC', '00:30 on 22 Nov'],
  // In the reader's time zone it is still today, or already tomorrow.
  ['2026-11-22T00:30:00Z', 'America/New_York', '19:30'],
  ['2026-11-21T20:00:00Z', 'Asia/Karachi', '01:00 on 22 Nov'],
])('%s in %s, seen from noon of the 21st, reads %s', (instant, timeZone, text) => {
  expect(timeAhead(instant, timeZone, new Date('2026-11-21T12:00:00Z'))).toBe(text)
})
