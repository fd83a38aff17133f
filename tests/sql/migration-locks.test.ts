import fs from 'node:fs'
import { expect, test } from 'vitest'

// During an upgrade the old version keeps running on the migrated database, and a statement that
// holds a table's lock for long stops it. Such statements need a line `-- locks: …` above them that
// says why it is short enough, or how the step is split over two versions.

/** The schema of the version before, in one migration. */
const FIRST = '20261129063101_schema_of_0_1_0'

const RULES: { name: string; found: RegExp }[] = [
  { name: 'drops something that the old version uses', found: /\bDROP (TABLE|COLUMN|TYPE)\b/i },
  { name: 'renames something that the old version uses', found: /\bRENAME\b/i },
  { name: 'rewrites the table for a new type', found: /\bALTER COLUMN \S+ (SET DATA )?TYPE\b/i },
  {
    name: 'rewrites the table for a default that differs per row',
    found: /\bADD COLUMN\b[^,;]*\bDEFAULT (gen_random_uuid|clock_timestamp|random)\b/i,
  },
  {
    name: 'needs a default for rows of the old version',
    found: /\bADD COLUMN\b(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT NULL\b/i,
  },
  {
    name: 'reads the whole table under a lock',
    found: /\bSET NOT NULL\b|\bADD CONSTRAINT\b(?![^;]*(\bNOT VALID\b|\bUSING INDEX\b))/i,
  },
  { name: 'stops writes while it builds an index', found: /\bCREATE (UNIQUE )?INDEX\b/i },
  { name: 'changes every row in one transaction', found: /^\s*UPDATE\b(?![^;]*\bLIMIT\b)/i },
]

/** Returns what is dangerous in a migration and not explained. Tables that it creates are empty. */
function dangersOf(migration: string): string[] {
  const created = [...migration.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi)].map(
    ([, table]) => table,
  )
  return statementsOf(migration).flatMap((statement) => {
    const code = statement.replace(/--.*$/gm, '')
    const isOnNew = created.some((table) =>
      new RegExp(`(TABLE|ON|UPDATE)\\s+"?${table}\\b`, 'i').test(code),
    )
    if (isOnNew || /^\s*-- locks: \S/m.test(statement)) return []
    return RULES.filter(({ found }) => found.test(code)).map(
      ({ name }) => `${name}: ${code.trim().slice(0, 80)}`,
    )
  })
}

/** Splits at semicolons outside function bodies. A comment belongs to the statement after it. */
function statementsOf(migration: string): string[] {
  const parts = migration.split(/(\$\w*\$[\s\S]*?\$\w*\$)/)
  return parts
    .map((part, i) => (i % 2 === 1 ? '$body$' : part))
    .join('')
    .split(/;\s*\n/)
}

test.each([
  ['ALTER TABLE "videos" DROP COLUMN "seed";', 'drops something'],
  ['ALTER TABLE "videos" RENAME COLUMN "seed" TO "start";', 'renames'],
  ['ALTER TABLE "videos" ALTER COLUMN "seed" TYPE bigint;', 'rewrites the table for a new type'],
  [
    'ALTER TABLE "sessions" ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid();',
    'rewrites the table for a default',
  ],
  ['ALTER TABLE "videos" ADD COLUMN "note" TEXT NOT NULL;', 'needs a default'],
  ['ALTER TABLE "videos" ALTER COLUMN "note" SET NOT NULL;', 'reads the whole table'],
  ['ALTER TABLE "videos" ADD CONSTRAINT "x" CHECK (seed > 0);', 'reads the whole table'],
  ['CREATE INDEX "x" ON "videos" ("seed");', 'stops writes'],
  ['UPDATE videos SET seed = 1;', 'changes every row'],
])('%s is dangerous', (statement, danger) => {
  expect(dangersOf(`${statement}\n`)).toEqual([expect.stringContaining(danger)])
  expect(dangersOf(`-- locks: the table has a thousand rows\n${statement}\n`)).toEqual([])
})

test.each([
  'ALTER TABLE "videos" ADD COLUMN "note" TEXT;',
  'ALTER TABLE "videos" ADD COLUMN "n" INTEGER NOT NULL DEFAULT 0;',
  'ALTER TABLE "videos" ADD CONSTRAINT "x" CHECK (seed > 0) NOT VALID;',
  'CREATE TABLE "notes" ("id" UUID NOT NULL);\nCREATE INDEX "x" ON "notes" ("id");',
  'CREATE FUNCTION f() RETURNS void AS $$ begin update videos set seed = 1; drop table x; end $$ LANGUAGE plpgsql;',
])('%s is not', (statement) => expect(dangersOf(`${statement}\n`)).toEqual([]))

test('no new migration stops the previous version without saying why it may', () => {
  const names = fs
    .readdirSync('prisma/migrations')
    .filter((name) => /^\d{14}_/.test(name) && name > FIRST)
  const dangers = names.map((name) => [
    name,
    dangersOf(fs.readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8')),
  ])
  expect(dangers.filter(([, found]) => found?.length)).toEqual([])
})
