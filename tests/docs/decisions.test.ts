import fs from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument } from './documents'

const FOLDER = 'docs/decisions'
/** Its text is being replaced; delete this line with that change. */
const IN_REVISION = new Set(['0002-prisma-without-downloads.md'])
const records = fs.readdirSync(FOLDER).filter((name) => /^\d{4}-[a-z0-9-]+\.md$/.test(name))
const index = readDocument(`${FOLDER}/README.md`)

const STATUS =
  /^_Accepted, (?:\d{1,2} )?[A-Z][a-z]+ \d{4}\.(?: (?:Amended|Superseded) by decisions? \d.*)?_$/

/** One line, links as their words. */
const plain = (text: string) => text.replaceAll('\n', ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')

test.each(records)('%s has its number as title, and is in the index', (name) => {
  const [title] = readDocument(`${FOLDER}/${name}`).split('\n')
  expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`))
  expect(index).toContain(`](${name})`)
})

test.each(records.filter((name) => !IN_REVISION.has(name)))(
  '%s has a date and a status',
  (name) => {
    const [, status = ''] = readDocument(`${FOLDER}/${name}`).split('\n\n')
    expect(plain(status)).toMatch(STATUS)
  },
)

test('no number is given twice', () => {
  const numbers = records.map((name) => name.slice(0, 4))
  expect(new Set(numbers).size).toBe(numbers.length)
})
