import { expect, test } from 'vitest'
import { optionalDay, wholeNumber } from './fields'

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

test('an exact number is whole however it is written, and nothing else', () => {
  const rules = { label: 'Price', min: 0, max: 9_999, tooSmall: 'Too small' }
  const read = (text: string, isExact: boolean) =>
    wholeNumber({ ...rules, isExact }).safeParse(text).data
  for (const text of ['1500', '1,500', '1.500', '1 500', '1500.00', '١٥٠٠'])
    expect([text, read(text, true)]).toEqual([text, 1500])
  for (const text of ['1.500,50', '1500.75', '8,50', '12abc'])
    expect([text, read(text, true)]).toEqual([text, undefined])
  expect(read('12.9', false)).toBe(12)
})
