import { expect, test } from 'vitest'
import { readDocument, readRepository } from './documents'

/** The last feature of each family in the specification. What has a higher number came later. */
const SPECIFIED = new Map(
  `A-API-29 A-ASSIGN-3 A-CONST-1 A-CREATE-10 A-CREATED-3 A-DELUSER-2 A-EDIT-6 A-ERR-3 A-EXPORT-2
   A-IMPORT-11 A-LIVE-4 A-OK-1 A-PLAN-5 A-POOL-6 A-PROMPT-8 A-QUICK-5 A-RESET-2 A-STAT-1 A-TOKEN-3
   A-USER-6 A-VID-18 U-ACCT-6 U-API-25 U-BATCH-7 U-BULK-11 U-CARD-7 U-CNT-1 U-CONST-3 U-DAILY-4
   U-DEL-3 U-DL-4 U-EDIT-3 U-ERR-2 U-EXP-3 U-GAL-10 U-I2V-1 U-LAND-7 U-LAYOUT-12 U-LOGIN-10 U-MYV-9
   U-OK-1 U-PREV-4 U-PRICE-9 U-PWD-7 U-QUOTA-4 U-REFUND-3 U-REG-7 U-REGEN-2 U-RETRY-6 U-ROLE-3
   U-ROUTE-13 U-STAT-8 U-T2V-10 W-JOB-5 W-PE-1`
    .split(/\s+/)
    .map((last) => [last.replace(/-\d+$/, ''), Number(/\d+$/.exec(last))]),
)

const ID = /\b([AUW]-[A-Z][A-Z0-9]+)-(\d+)(?:\.\.(\d+))?/g

/** Returns the ids that a text names beyond the specification, those within a range (U-JOIN-1..4) too. */
const laterIn = (text: string): string[] =>
  [...text.matchAll(ID)].flatMap(([, family = '', from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i)
      .filter((number) => number > (SPECIFIED.get(family) ?? 0))
      .map((number) => `${family}-${number}`),
  )

test('every id beyond the specification that a test names is explained, and every explained one is tested', () => {
  const listed = readDocument('docs/promises.md')
    .split('\n')
    .flatMap((line) => /^- \*\*(.+?)\*\* /.exec(line)?.[1] ?? [])
  const named = readRepository()
    .filter(({ file }) => /^tests\/(?!docs\/)|\.test\.tsx?$/.test(file))
    .flatMap(({ text }) => laterIn(text))
  expect(new Set(listed).size).toBe(listed.length)
  expect([...new Set(named)].sort()).toEqual([...listed].sort())
})
