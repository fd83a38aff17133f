import fs from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument } from './documents'

const FOLDER = 'docs/decisions'
const records = fs.readdirSync(FOLDER).filter((name) => /^\d{4}-[a-z0-9-]+\.md$/.test(name))
const index = readDocument(`${FOLDER}/README.md`)

const STATUS = /^_Accepted, (?:\d{1,2} )?[A-Z][a-z]+ \d{4}\.(?<more>.*)_$/

/** Joins the lines of a text and replaces links by their text. */
const plain = (text: string) => text.replaceAll('\n', ' ').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')

test.each(records)('%s has its number as title and is in the index', (name) => {
  const [title] = readDocument(`${FOLDER}/${name}`).split('\n')
  expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`))
  expect(index).toContain(`](${name})`)
})

test.each(records)('%s has a date and a status', (name) => {
  const [, status = ''] = readDocument(`${FOLDER}/${name}`).split('\n\n')
  const found = STATUS.exec(plain(status))
  expect(found, 'date and status').not.toBeNull()
  const { more = '' } = found?.groups ?? {}
  // A record that changes another one names it.
  if (/amended|superseded|replaces/i.test(more)) expect(more).toMatch(/decisions? \d/)
})

test('no two records have one number, and there are at most 45', () => {
  const numbers = new Set(records.map((name) => name.slice(0, 4)))
  expect(numbers.size).toBe(records.length)
  expect(records.length).toBeLessThanOrEqual(45)
})
