import { describe, expect, test } from 'vitest'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { fromCell, splitLine, toCell } from './users/export-format'
import { PLACEHOLDER_PASSWORD } from './imports/import-rules'
import { parseImport } from './imports/import-table.server'
import { planNumbers } from '../plans/numbers'
import { daysLeftText, shownExpireDays } from './rules'

test.each([
  [null, 'N/A', 'plain'],
  [-1, 'Expired', 'bad'],
  [0, 'Today', 'warn'],
  [7, '7d', 'warn'],
  [8, '8d', 'plain'],
])('A-USER-4: %s days left are shown as %s', (days, text, tone) => {
  expect(daysLeftText(days)).toEqual({ text, tone })
})

test.each([
  ['A-PLAN-1', 'Starter', [20, 1, 90]],
  ['A-PLAN-2', 'Professional', [120, 3, 60]],
  ['A-PLAN-3', 'Business', [400, 5, 45]],
  ['A-PLAN-4', 'Enterprise', [1000, 10, 30]],
] as const)('%s: %s fills in its numbers', (_id, plan, numbers) => {
  expect(Object.values(planNumbers(DEFAULT_PLANS[plan]))).toEqual(numbers)
})

test('A-EDIT-6: an account that never expires or has expired shows 30 days', () => {
  expect([null, -3, 0, 1, 12].map(shownExpireDays)).toEqual([30, '', '', 1, 12])
})

describe('cells', () => {
  test.each(['=1+1', '+92300', '-5', '@sum', 'a|b', "'quoted", 'plain'])(
    '%j survives a round trip and is not evaluated by spreadsheets',
    (value) => {
      expect(toCell(value)).not.toMatch(/^[=+\-@]/)
      expect(fromCell(toCell(value))).toBe(value)
      expect(splitLine([value, value].map(toCell).join('|'))).toEqual([value, value])
    },
  )
})

describe('import lines', () => {
  const only = async (line: string) => {
    const [parsed] = (await parseImport(line)).lines
    return parsed && 'entry' in parsed ? parsed.entry : undefined
  }

  test('A-IMPORT-2, A-IMPORT-3: skips blanks, comments and the header; a lone name is an error', async () => {
    const { lines } = await parseImport(
      '# note\n\na|secret-1\nonlyname\nusername|phone|password\nb|secret2',
    )
    expect(lines.map(({ line }) => line)).toEqual([3, 4, 6])
    expect(lines[1]).toEqual({
      line: 4,
      lines: 1,
      problem: 'Line 4: Invalid format (minimum: username|password)',
    })
  })

  test('A-IMPORT-4, A-IMPORT-6: nine fields are the simple format, ten the full format', async () => {
    expect(await only('a|secret-1|12|tok|x|x|x|x|x')).toMatchObject({
      password: 'secret-1',
      expireDays: 12,
      bearerToken: 'tok',
      plan: 'Starter',
      videoLimit: 100,
      speedLimit: 5,
      videoGenerationSpeed: 10,
      role: 'user',
    })
    expect(await only('a|a|secret-1|boss|business|x|3|45|9|40')).toMatchObject({
      password: 'secret-1',
      role: 'user',
      plan: 'Business',
      videoLimit: 100,
      speedLimit: 3,
      videoGenerationSpeed: 45,
      expireDays: 40,
      bearerToken: null,
      isActive: true,
    })
  })

  test('A-IMPORT-7, A-IMPORT-9: markers for placeholder password, no token, no expiry', async () => {
    expect(await only('a|a|[HASHED]|admin|Starter|20|1|90|0|never|[NONE]|false|')).toMatchObject({
      password: PLACEHOLDER_PASSWORD,
      role: 'admin',
      bearerToken: null,
      expireDays: null,
      isActive: false,
    })
    expect(await only('a|secret-1|30|abcd••••')).toMatchObject({ bearerToken: null })
  })

  test('A-IMPORT-6: numbers are read in the digits of any script', async () => {
    expect(await only('a|secret-1|٩٠')).toMatchObject({ expireDays: 90 })
  })

  test('Q-17: without days, users get 30; administrators and editors never expire', async () => {
    const line = (role: string, days: string) =>
      only(`a|a|secret-1|${role}|Starter|20|1|90|0|${days}`)
    expect(await line('user', '')).toMatchObject({ expireDays: 30 })
    for (const role of ['admin', 'editor']) {
      expect(await line(role, '')).toMatchObject({ expireDays: null })
      expect(await line(role, 'x')).toMatchObject({ expireDays: null })
      expect(await line(role, '5')).toMatchObject({ expireDays: 5 })
    }
  })
})
