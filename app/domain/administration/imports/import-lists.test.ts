import { describe, expect, test } from 'vitest'
import { normalizeUsername } from '../../names/names'
import { isDateLike, readEnding } from './import-days'
import { notesOf } from './import-notes'
import { PLACEHOLDER_PASSWORD } from './import-rules'
import { parseImport } from './import-table.server'

const entries = async (text: string) =>
  (await parseImport(text)).lines.map((line) => ('entry' in line ? line.entry : line.problem))

describe('days that are dates', () => {
  test.each([
    ['2026-12-31', '2026-12-31'],
    ['2026/12/31', '2026-12-31'],
    ['2026-12-31T00:00:00.000Z', '2026-12-31'],
    ['2026-12-31 00:00:00', '2026-12-31'],
    ['31/12/2026', '2026-12-31'],
    ['12/31/2026', '2026-12-31'],
    ['31-12-2026', '2026-12-31'],
    ['5/5/2027', '2027-05-05'],
    ['12.05.2026', '2026-05-12'],
    ['1.2.2027', '2027-02-01'],
    ['31 Dec 2026', '2026-12-31'],
    ['31-Dec-2026', '2026-12-31'],
    ['December 31, 2026', '2026-12-31'],
    ['٣١/١٢/٢٠٢٦', '2026-12-31'],
  ])('lists: %s is %s', (typed, day) => {
    expect(readEnding(typed, 30)).toEqual({ day })
    expect(isDateLike(typed)).toBe(true)
  })

  test.each([
    ['05/06/2026', '05/06/2026 can be 5 June 2026 or 6 May 2026. Write 2026-06-05, or the number'],
    ['05-06-2026', 'can be 5 June 2026 or 6 May 2026'],
    ['31/12/26', 'has a year of two digits'],
    ['31-Dec-26', 'has a year of two digits'],
    ['2026-02-30', '2026-02-30 is not a day'],
    ['31.13.2026', 'is not a day'],
    ['3 months', '3 months is not in days'],
    ['1 year', 'is not in days'],
    ['٢ weeks', 'is not in days'],
    ['46387', "looks like a spreadsheet's number for 31 December 2026. Write 2026-12-31"],
  ])('lists: %s is refused', (typed, words) => {
    const read = readEnding(typed, 30)
    expect('problem' in read && read.problem).toContain(words)
  })

  test.each([
    ['30', 30],
    ['30 days', 30],
    ['30d', 30],
    ['1.234', 1234],
    ['abc', 7],
    ['', 7],
    ['never', null],
    [365, 365],
  ])('lists: %j is a number of days as before', (typed, days) =>
    expect(readEnding(typed, 7)).toEqual({ days }),
  )
})

describe('tables of spreadsheets', () => {
  const HEADED = 'phone;plan;expireDays;isActive;paid'

  test('lists: columns in another order, named by a heading', async () => {
    const {
      lines: [line],
    } = await parseImport('days|Password|Phone number|Plan\n12|secret-1|0300 1234567|business')
    expect(line).toMatchObject({
      line: 2,
      entry: { username: '0300 1234567', password: 'secret-1', expireDays: 12, plan: 'Business' },
    })
  })

  test('lists: a title above the heading is no user; a line of data there is one', async () => {
    const table = 'Password;WhatsApp Number\nsecret-1;923001110001'
    expect(await entries(`My customers;;\n${table}`)).toMatchObject([{ username: '923001110001' }])
    expect(await entries(`secret-2;923001110002\n${table}`)).toHaveLength(2)
    // Between pipes a lone name is a user whose password is missing.
    expect((await entries('ali\nusername|password\nben|secret-1'))[0]).toContain(
      'Line 1: Invalid format',
    )
  })

  test('lists: a CSV with semicolons, a byte order mark and a line sep=', async () => {
    const text = `\uFEFFsep=;\r\n${HEADED}\r\n923001110001;Business;31.12.2026;FALSCH;"a; b"\r\n;;;;\r\n`
    const [line, ...others] = (await parseImport(text)).lines
    expect(others).toEqual([])
    expect(line).toMatchObject({
      line: 3,
      entry: { username: '923001110001', plan: 'Business', endsOn: '2026-12-31', isActive: false },
    })
  })

  test('lists: without a column of passwords, accounts keep theirs and new ones get a link', async () =>
    expect(await entries(`${HEADED}\n923001110001;Business`)).toMatchObject([
      { password: PLACEHOLDER_PASSWORD },
    ]))

  test('lists: headings that are not known are named once', async () => {
    const { lines } = await parseImport(`${HEADED}\n923001110001;;;;x\n923001110002;;;;y`)
    const notes = lines.map((line) =>
      'entry' in line ? notesOf(line, normalizeUsername).always : [],
    )
    expect(notes).toEqual([['The column "paid" is not used'], []])
  })

  test.each(['\t', ';', ','])('lists: a table without a heading, divided by %j', async (sign) =>
    expect(
      await entries(`923001110001${sign}secret-1${sign}30\n923001110002${sign}secret-2${sign}31`),
    ).toMatchObject([
      { username: '923001110001', password: 'secret-1', expireDays: 30 },
      { username: '923001110002', password: 'secret-2', expireDays: 31 },
    ]),
  )

  test('lists: our own export, saved by a spreadsheet as CSV', async () => {
    const text =
      'username;phone;password;role;plan;videoLimit;speedLimit;videoGenerationSpeed;videosGeneratedThisMonth;expireDays;bearerToken;isActive;createdAt\n' +
      '923001110001;923001110001;[HASHED];user;Business;400;5;45;12;30;[NONE];WAHR;26.11.2026 13:24\n' +
      '9,23001E+11;9,23001E+11;[HASHED];user;Business;400;5;45;12;never;[NONE];FALSCH;26.11.2026'
    expect(await entries(text)).toMatchObject([
      { username: '923001110001', videoLimit: 400, expireDays: 30, isActive: true },
      { username: '9,23001E+11', expireDays: null, isActive: false },
    ])
  })

  test('lists: a note of several lines is one cell, and its row knows the lines that it takes', async () => {
    const text = `${HEADED}\n923001110001;Starter;30;;"late\nin May"\n923001110002;Business`
    expect((await parseImport(text)).lines).toMatchObject([
      { line: 2, lines: 2, entry: { username: '923001110001', expireDays: 30 } },
      { line: 4, lines: 1, entry: { username: '923001110002', plan: 'Business' } },
    ])
  })

  test('lists: stray quotation marks make no one user of two', async () => {
    const table = (one: string, other: string) =>
      entries(`phone;password\n923001110001;${one}\n923001110002;${other}`)
    for (const other of ['secret-2', 'sec"ret-2'])
      expect(await table('"secret-1', other)).toMatchObject([
        { username: '923001110001', password: '"secret-1' },
        { username: '923001110002', password: other },
      ])
    expect(await table('"secret-1', 'secret-2"')).toEqual([
      'Line 2: a quotation mark is not closed or stands alone',
    ])
  })

  test('lists: of a table of tabs without a heading a title is no user', async () =>
    expect(await entries('My list\t\n923001110001\tsecret-1\n\t\n')).toMatchObject([
      'Line 1: Invalid format (minimum: username|password)',
      { username: '923001110001', password: 'secret-1' },
    ]))

  test('A-IMPORT-3: lines with pipes are read as before, also beside other signs', async () =>
    expect(await entries('0300;1234567|secret,1\nonlyname')).toMatchObject([
      { username: '0300;1234567', password: 'secret,1' },
      'Line 2: Invalid format (minimum: username|password)',
    ]))
})
