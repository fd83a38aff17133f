import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../support/database'
import {
  findStatements,
  listColumns,
  problemAfterRename,
  problemsOf,
  type Statement,
} from './check'
import { readCatalogue, type Catalogue } from './claims'
import { readSource } from './program'

// Every statement of the product against the migrated schema, without running one: the texts are
// worked out from the source, PostgreSQL parses them, and the types claimed for rows and values are
// held against its answer (docs/decisions/0094-statements-are-checked.md).

const ROOT = path.resolve()
const WRONG = path.join('tests', 'sql', 'wrong-claims.ts')
const source = readSource(
  ROOT,
  (file) => (/^(app|jobs)\//.test(file) && !file.endsWith('.test.ts')) || file === WRONG,
)
const found = findStatements(source, ROOT)
const isWrong = (words: string) => words.startsWith(WRONG)
const statements = found.all.filter(({ place }) => !isWrong(place))

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
let catalogue: Catalogue

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  catalogue = await readCatalogue(client)
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

const problemsIn = async (some: readonly Statement[]): Promise<string[]> => {
  const problems = new Set<string>()
  for (const statement of some)
    for (const problem of await problemsOf(client, source, { statement, catalogue }))
      problems.add(problem)
  return [...problems].sort()
}

test('no statement of the product is unchecked', () => {
  expect(found.unchecked.filter((words) => !isWrong(words))).toEqual([])
  expect(new Set(statements.map(({ place }) => place)).size).toBeGreaterThan(250)
})

test('every statement fits the migrated schema, and its rows and values the types they claim', async () => {
  expect(await problemsIn(statements)).toEqual([])
})

/** Columns that no statement of ours names. */
const NAMED_ELSEWHERE = [
  // Read and written by a trigger alone.
  'galleries.bumped_in',
  // Numbers that PostgreSQL gives.
  'provider_failures.id',
  // The rate limiter's library.
  'throttles.points',
  // Numbers again.
  'token_deaths.id',
]

test('a column that gets another name is noticed, whichever it is', async () => {
  const texts = [...new Map(statements.map((one) => [one.text, one])).values()]
  const columns = await listColumns(client)
  const unnoticed: string[] = []
  for (const column of columns)
    if ((await problemAfterRename(client, texts, column)) === undefined)
      unnoticed.push(column.join('.'))
  expect(columns.length).toBeGreaterThan(200)
  expect(unnoticed).toEqual(NAMED_ELSEWHERE)
})

const withoutPlace = (words: string) => words.replace(/^\S+ /, '')

test('what is wrong with a statement is named', async () => {
  const problems = await problemsIn(found.all.filter(({ place }) => isWrong(place)))
  expect(problems.map(withoutPlace).sort()).toEqual([
    '"day" is claimed as Date and is string',
    '"email" is claimed as string and may be null',
    '"id" is claimed as number and is string',
    `"kind" is claimed as "single" and may be 'bulk'`,
    `"kind" is claimed as "single" and may be 'edit'`,
    '"limit" is claimed as string and is number',
    '"name" is claimed and no column',
    '"text" is claimed as string and may be null',
    '$1, word, is string for number',
    '$1, word, is string for string[]',
    'column "identity" does not exist',
    'column "phone_number" does not exist',
    'column "username" is not claimed',
  ])
})

test('a statement that cannot be checked is named', () => {
  const unchecked = found.unchecked.filter(isWrong).map(withoutPlace)
  expect(unchecked.map((words) => words.replace(/ \(\S+\)$/, '')).sort()).toEqual([
    'is part of no statement that is checked',
    'no function: part()',
    'raw text: word',
  ])
})
