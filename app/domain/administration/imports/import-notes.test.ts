import { describe, expect, test } from 'vitest'
import { notesOf, refusal } from './import-notes'
import { normalizeUsername } from '../../names/names'
import { parseImport } from './import-table.server'

const notes = async (text: string) => {
  const [line] = (await parseImport(text)).lines
  return line && 'entry' in line
    ? notesOf(line, (name) => normalizeUsername(name).replace(/^0/, '92'))
    : undefined
}
/** A line with all columns of the export. */
const full = (values: Record<string, string>) => {
  const line = {
    username: '923001234567',
    phone: '',
    password: 'secret-1',
    role: '',
    plan: '',
    videoLimit: '',
    speedLimit: '',
    videoGenerationSpeed: '',
    used: '',
    expireDays: '',
    bearerToken: '',
    isActive: '',
    createdAt: '',
    ...values,
  }
  return Object.values(line).join('|')
}
const ofFull = async (values: Record<string, string>) => {
  const { always = [], ifNew = [] } = (await notes(full(values))) ?? {}
  return [...always, ...ifNew]
}

describe('values of an import that are not used as typed', () => {
  test.each([
    ['A-IMPORT-5', 'role', 'boss', 'Role: unknown, user is used'],
    ['A-IMPORT-6', 'videoLimit', 'x', 'Daily video limit: not a whole number, 100 is used'],
    ['A-IMPORT-6', 'speedLimit', '3.5', 'Speed limit "3.5": not a whole number, 3 is used'],
    [
      'A-IMPORT-6',
      'videoGenerationSpeed',
      '12s',
      'Generation speed: not a whole number, 12 is used',
    ],
    ['A-IMPORT-6', 'expireDays', 'abc', 'Days: not a whole number, 30 is used'],
    ['A-IMPORT-6', 'expireDays', '9'.repeat(20), `Days "${'9'.repeat(20)}": too large, 30 is used`],
    ['A-IMPORT-6', 'isActive', 'no', 'Active: neither true nor false, true is used'],
    ['A-IMPORT-9', 'bearerToken', 'abcd••••', 'Token: only a mask, no token is set'],
    [
      'Q-29',
      'phone',
      '03009999999',
      'Phone "03009999999": not used, because the username is the phone number',
    ],
  ])('%s: %s %j is noted', async (_id, column, value, note) => {
    expect(await ofFull({ [column]: value })).toEqual([note])
  })

  test('Q-17: administrators without readable days never expire', async () => {
    expect(await ofFull({ role: 'ADMIN', expireDays: 'abc' })).toEqual([
      'Days: not a whole number, never is used',
    ])
  })

  test.each([
    ['expireDays', '030'],
    ['expireDays', ' 30 '],
    ['expireDays', '٣٠'],
    ['expireDays', '30.0'],
    ['expireDays', 'Never'],
    ['videoLimit', '1,000'],
    ['videoLimit', '1.000'],
    ['plan', 'business'],
    ['phone', '+92 300 1234567'],
    ['phone', '0300 1234567'],
    ['bearerToken', '[NONE]'],
    ['isActive', 'FALSE'],
  ])('%s %j is only written in another way', async (column, value) => {
    expect(await ofFull({ [column]: value })).toEqual([])
  })

  test('A-IMPORT-4: values that no column takes are noted, empty ones are not', async () => {
    expect((await notes('a|secret-1|12|tok|x'))?.always).toEqual([
      'Values after the first 4 are not used: a line with all columns has 10 or more',
    ])
    expect((await notes('a|secret-1|12|tok||'))?.always).toEqual([])
    expect((await notes(`${full({})}|x`))?.always).toEqual([
      'Values after the first 13 are not used',
    ])
    expect(await notes('a|secret-1')).toEqual({ always: [], ifNew: [] })
  })

  test('a value that may be a secret is not repeated', async () => {
    expect((await notes('a|03001234567|secret-123'))?.ifNew).toEqual([
      'Days: not a whole number, 30 is used',
    ])
  })
})

test('a refusal names its column once', async () => {
  expect(refusal('expireDays', 'Must be at least 1 day')).toBe('Days: Must be at least 1 day')
  expect(refusal('password', 'Password is required')).toBe('Password is required')
  expect(refusal(undefined, 'Invalid')).toBe('Invalid')
})
