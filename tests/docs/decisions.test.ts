import fs from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument } from './documents'

const FOLDER = 'docs/decisions'
const records = fs.readdirSync(FOLDER).filter((name) => /^\d{4}-[a-z0-9-]+\.md$/.test(name))
const index = readDocument(`${FOLDER}/README.md`)

test.each(records)('%s has its number as title and is in the index', (name) => {
  const [title] = readDocument(`${FOLDER}/${name}`).split('\n')
  expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`))
  expect(index).toContain(`](${name})`)
})

test('no two records have one number, and there are at most 45', () => {
  const numbers = new Set(records.map((name) => name.slice(0, 4)))
  expect(numbers.size).toBe(records.length)
  expect(records.length).toBeLessThanOrEqual(45)
})
