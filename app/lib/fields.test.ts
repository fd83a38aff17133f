import { expect, test } from 'vitest'
import { optionalDay } from './fields'

test('a day exists in the calendar, also for PostgreSQL, or is none', () => {
  const read = (text?: string) => {
    const { data, error } = optionalDay('no day').safeParse(text)
    return error ? error.issues[0]?.message : data
  }
  expect([read(' 2024-02-29 '), read(''), read(' '), read()]).toEqual([
    '2024-02-29',
    null,
    null,
    null,
  ])
  for (const text of ['2026-02-29', '2026-02-31', '0000-01-01', '2026-13-01', '27.11.2026'])
    expect([text, read(text)]).toEqual([text, 'no day'])
})
