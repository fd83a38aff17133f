import { expect, test } from 'vitest'
import { dividedBy, headingReader, headingRow, type HeadingTest } from './table'
import { readRows, readTypedRows } from './table.server'

const fieldOf = headingReader([
  ['phone', 'phone (?:number|no)?|téléphone'],
  ['name', 'name'],
])
const NAMED: readonly HeadingTest[] = [(cells) => cells.some((cell) => fieldOf(cell) !== null)]

test.each([
  ['Phone No.:', 'phone'],
  ['PHONE_NUMBER', 'phone'],
  ['"Te\u0301le\u0301phone"', 'phone'],
  ['Name?', 'name'],
  ['My name', null],
  ['{name}', null],
  ['', null],
])('lists: the heading %j names %s', (heading, field) => expect(fieldOf(heading)).toBe(field))

test.each([
  ['name;phone', ';', false],
  ['My list\n\nphone|name', '|', false],
  ['\nsep=\t\nname', '\t', true],
  ['sep=;', ';', true],
  ['a;b', undefined, false],
])('lists: %j is divided by %j', (text, sign, isGiven) =>
  expect(dividedBy(text, NAMED)).toMatchObject({ sign, isGiven }),
)

test('lists: a heading stands among the first five rows', () => {
  const rows = (above: number) => [...Array.from({ length: above }, () => ['x']), ['name']]
  expect([4, 5].map((above) => headingRow(rows(above), ',', NAMED))).toEqual([4, -1])
})

const TEXT = 'a;"b\r\nc"\r\n\r# note;"\nd;{"x": 1}\r"e"\n'

test('lists: rows know their lines, whatever ends them; blank lines and comments are none', async () =>
  expect(await readRows(TEXT, { sign: ';', most: 9, comment: '#' })).toEqual([
    { cells: ['a', 'b\nc'], line: 1, lines: 2 },
    { cells: ['d', '{"x": 1}'], line: 5, lines: 1 },
    { cells: ['e'], line: 6, lines: 1 },
  ]))

test('lists: a stray quotation mark is named with its line', () =>
  expect(readRows('a;"b"\n\n"c;2\n', { sign: ';', most: 9 })).rejects.toMatchObject({ line: 3 }))

test('lists: in a typed text the line of a stray mark is read as it stands', async () => {
  const cells = async (text: string) =>
    (await readTypedRows(text, { sign: ';', most: 9, isOfRecords: true })).map((row) =>
      row.cells.join(' / '),
    )
  expect(await cells('a;"b; 1"\n\n"c;2\ne;"5; 6"')).toEqual(['a / b; 1', '"c / 2', 'e / 5; 6'])
  expect(await cells('a;"""Go"" he said\nand ran"')).toEqual(['a / "Go" he said\nand ran'])
  expect(await cells('a;"b\n'.repeat(19))).toHaveLength(9)
})
