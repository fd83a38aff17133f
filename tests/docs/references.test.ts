import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { anchorsOf, documentsOf, readDocument, readRepository, rowIds } from './documents'

// A citation that leads nowhere is worse than none: the reader looks for a reason that is not there.

const files = readRepository()
const documents = documentsOf(files)
/** These tests speak of ids and files that are none. */
const OWN = 'tests/docs/'

/** Rules by their ids: Q-29, I4, R8, S22, F11, B6. */
const RULE = /(?<![\w%+=-])(?:Q-\d+|[BFIRS]\d{1,2})(?![\w+=-])/g
/** What looks like one: the storage service. */
const NO_RULE = new Set(['S3'])

const EXPLAINED = new Set(
  ['docs/rules.md', 'docs/faults.md', 'docs/benchmarks.md'].flatMap((file) =>
    rowIds(readDocument(file)),
  ),
)

test('every rule that is cited by its id is explained in a document', () => {
  const unknown = files
    .filter(({ file }) => !file.startsWith(OWN))
    .flatMap(({ file, text }) =>
      [...text.matchAll(RULE)]
        .map(([id]) => id)
        .filter((id) => !NO_RULE.has(id) && !EXPLAINED.has(id))
        .map((id) => `${file}: ${id}`),
    )
  expect(unknown).toEqual([])
})

test('every decision that is cited by its number has a record', () => {
  const records = fs.readdirSync('docs/decisions').map((name) => Number(/^\d{4}/.exec(name)?.[0]))
  const unknown = files
    .filter(({ file }) => !file.startsWith(OWN))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\bdecisions? (\d+)(?:(?: and|,) (\d+))?/gi)]
        .flatMap((match) => match.slice(1).filter(Boolean))
        .filter((number) => !records.includes(Number(number)))
        .map((number) => `${file}: decision ${number}`),
    )
  expect(unknown).toEqual([])
})

test('features of the specification are named by tests and documents alone', () => {
  const cited = files
    .filter(({ file }) => !/^tests\/|\.test\.tsx?$|\.md$/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\b[AUW]-[A-Z0-9]{2,}-\d+/g)].map(([id]) => `${file}: ${id}`),
    )
  expect(cited).toEqual([])
})

test('every link between documents leads to a file and a heading that exist', () => {
  const dead = documents.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(file, target))
      .map((target) => `${file}: ${target}`),
  )
  expect(dead).toEqual([])
})

function leadsSomewhere(from: string, target: string): boolean {
  const [name = '', anchor] = target.split('#')
  const file = name === '' ? from : path.join(path.dirname(from), name)
  if (!fs.existsSync(file)) return false
  return anchor === undefined || anchorsOf(readDocument(file)).includes(anchor)
}

/** Made by a command, and not kept in the repository. */
const MADE = new Set(['bench/results.json'])

test('every file that a document names exists', () => {
  const missing = documents
    .filter(({ file }) => !file.startsWith(OWN))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/`((?:app|bench|docs|jobs|prisma|scripts|tests)\/[^`\s*<…]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !MADE.has(name) && !isThere(name))
        .map((name) => `${file}: ${name}`),
    )
  expect(missing).toEqual([])
})

/** With its ending or without; a test is often named by what it tests. */
const isThere = (name: string): boolean =>
  ['', '.ts', '.tsx', '.test.ts'].some((ending) => fs.existsSync(name + ending))
