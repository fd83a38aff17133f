import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkbookReader } from '../../app/platform/workbooks/reader.server'
import type { ReadWorkbook } from '../../app/platform/workbooks/port'
import { bundlePrograms } from '../support/bundle-programs'
import { packZip, textRows, workbookOf, workbookParts } from '../support/workbook'

// Workbooks in the child process that reads them, good ones and such as are made to fill a memory.

let entries: string
let read: ReadWorkbook
beforeAll(async () => {
  entries = await bundlePrograms('read-workbook')
  read = openWorkbookReader(path.join(entries, 'read-workbook.js'))
})
afterAll(() => fs.rm(entries, { recursive: true, force: true }))

const sheet = (rows: string) => packZip(workbookParts({ Sheet1: rows }))

test('U-SHEET-1: what people see in the cells: texts, whole numbers, days, values of formulas', async () => {
  const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>A "boat"\nرات</t></is></c>
    <c r="B1"><v>9.23001234567E11</v></c><c r="C1"><v>0.30000000000000004</v></c></row>
    <row r="4"><c r="A4" s="1"><v>45992</v></c><c r="B4" s="2"><v>45992.5</v></c>
    <c r="C4"><f>A1*2</f><v>42</v></c><c r="D4" t="str"><f>A1&amp;"x"</f><v>boat</v></c>
    <c r="E4" t="b"><v>1</v></c><c r="F4" t="e"><v>#REF!</v></c><c r="G4"><v>1E-7</v></c></row>`
  expect(await read(sheet(rows))).toEqual({
    hasMerged: false,
    sheets: [
      {
        name: 'Sheet1',
        text: `"A ""boat""\nرات"\t923001234567\t0.3\t\t\t\t\n2025-12-01\t2025-12-01 12:00\t42\tboat\tTRUE\t\t0.0000001`,
      },
    ],
  })
})

test('U-SHEET-1: sheets with content in their order; merged cells are said', async () => {
  const merged = '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>'
  const bytes = workbookOf({ Empty: [], One: [['a', 'b']], Two: [['c']] }, merged)
  expect(await read(bytes)).toEqual({
    hasMerged: true,
    sheets: [
      { name: 'One', text: 'a\tb' },
      { name: 'Two', text: 'c' },
    ],
  })
})

const one = (address: string, row: number) =>
  `<row r="${row}"><c r="${address}" t="inlineStr"><is><t>x</t></is></c></row>`
const wide = (count: number, row: number) =>
  `<row r="${row}"><c r="XFD${row}"><v>${count}</v></c></row>`
const compound = (text = '') =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')])
const parts = workbookParts({ Sheet1: textRows([['a']]) })

test.each([
  ['a zip bomb', () => packZip({ ...parts, 'xl/big.xml': Buffer.alloc(60_000_000, 32) }), 'large'],
  ['a row and a column far out', () => sheet(wide(1, 1) + wide(2, 1_048_576)), 'large'],
  ['rows of a million columns', () => sheet(one('ZZZZZ1', 1) + one('ZZZZZ2', 2)), 'large'],
  ['a row number beyond all', () => sheet(one('A999999999', 999_999_999)), 'large'],
  ['a truncated file', () => sheet(one('A1', 1)).subarray(0, 700), 'broken'],
  ['wrong checksums', () => packZip(parts, 7), 'broken'],
  [
    'XML that ends early',
    () => packZip({ ...parts, 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row' }),
    'broken',
  ],
  [
    'no sheet where one is named',
    () => packZip({ ...parts, 'xl/_rels/workbook.xml.rels': '<Relationships/>' }),
    'broken',
  ],
  ['an empty workbook', () => sheet(''), 'empty'],
  ['an empty file', () => Buffer.alloc(0), 'empty'],
  ['a password', () => compound('EncryptedPackage'), 'protected'],
  ['an old workbook', () => compound('Workbook'), 'old'],
  ['a text', () => Buffer.from('Prompt\nA boat'), 'other'],
  ['another archive', () => packZip({ 'word/document.xml': '<a/>' }), 'other'],
])('U-SHEET-2: %s is a result, and the next workbook is read', async (_, make, problem) => {
  expect(await read(make())).toEqual({ problem })
  expect(await read(workbookOf({ A: [['a']] }))).toMatchObject({ sheets: [{ text: 'a' }] })
})

test('U-SHEET-1: a good workbook is read on a machine where each step takes long', async () => {
  const entry = path.join(entries, 'busy.mjs')
  await fs.writeFile(
    entry,
    `let now = 0; Date.now = () => (now += 50); await import('./read-workbook.js')`,
  )
  const rows = Array.from({ length: 5_000 }, (_, n) => [`A boat number ${n}`, 'wide'])
  const report = await openWorkbookReader(entry)(workbookOf({ Prompts: rows }))
  expect(report).toMatchObject({ sheets: [{ text: rows.map((row) => row.join('\t')).join('\n') }] })
})

test('issue 53.5: entities are not expanded', async () => {
  const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`)
  const xml = `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY l0 "lol">${lol.join('')}]>
    <worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row></sheetData></worksheet>`
  const report = await read(packZip({ ...parts, 'xl/worksheets/sheet1.xml': xml }))
  expect(JSON.stringify(report).length).toBeLessThan(200)
})

test('issue 53.5: the last row of all, and a sheet of thousands of prompts', async () => {
  expect(await read(sheet(one('A1048576', 1_048_576)))).toMatchObject({ sheets: [{ text: 'x' }] })
  const rows = Array.from({ length: 5_000 }, (_, n) => [`A boat number ${n}`, 'wide'])
  const report = await read(workbookOf({ Prompts: rows }))
  expect(report).toMatchObject({ sheets: [{ text: rows.map((row) => row.join('\t')).join('\n') }] })
})
