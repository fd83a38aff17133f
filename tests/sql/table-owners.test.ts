import path from 'node:path'
import { Linter } from 'eslint'
import { expect, test } from 'vitest'
import rule from '../../scripts/lint-rules/tables-have-owners.mjs'

const OWNERS = { prompts: ['prompts/'], line_entries: ['videos/', 'batches/'] }

/** Returns what the rule reports for a statement in a file. */
const said = (file: string, statement: string): string[] => saidOf(file, `run(sql\`${statement}\`)`)

/** Returns what the rule reports for any code. */
const saidOf = (file: string, code: string): string[] =>
  new Linter({ cwd: path.resolve() })
    .verify(
      code,
      {
        files: ['**/*.ts'],
        plugins: { reelmill: { rules: { 'tables-have-owners': rule } } },
        rules: { 'reelmill/tables-have-owners': ['error', OWNERS] },
      },
      { filename: path.resolve(file) },
    )
    .map(({ messageId }) => messageId ?? '')

const PROMPTS = 'app/domain/prompts/library.server.ts'
const TOKENS = 'app/domain/tokens/pool.server.ts'

test.each([
  [PROMPTS, 'update prompts set text = 1', []],
  [TOKENS, 'update prompts set text = 1', ['foreign']],
  [TOKENS, 'with a as (update prompts as p set text = 1) select 1', ['foreign']],
  [TOKENS, 'insert into prompts (id) values (1)', ['foreign']],
  [TOKENS, 'delete from prompts where ${which}', ['foreign']],
  [TOKENS, 'select id from prompts for update skip locked', []],
  [PROMPTS, 'insert into prompts (id) values (1) on conflict (id) do update set text = 1', []],
  ['app/domain/batches/start-batch.server.ts', 'insert into line_entries (id) values (1)', []],
  [PROMPTS, 'delete from somewhere', ['unknown']],
  [PROMPTS, 'select 1 from graphile_worker.jobs', ['queue']],
  ['app/platform/queue/tables.ts', 'select 1 from graphile_worker.jobs', []],
])('in %s: %s', (file, statement, words) => {
  expect(said(file, statement)).toEqual(words)
})

test.each([
  [PROMPTS, 'db.prisma(({ prompt }) => prompt.deleteMany())', []],
  [TOKENS, 'db.prisma(({ prompt }) => prompt.deleteMany())', ['foreign']],
  [TOKENS, 'db.prisma((tables) => tables.prompt.deleteMany({ where: { id } }))', ['foreign']],
  [TOKENS, 'db.prisma(({ prompt }) => prompt.findMany())', []],
  [TOKENS, 'db.prisma(({ lineEntry }) => lineEntry.updateMany({ data }))', ['foreign']],
  [TOKENS, 'db.prisma(({ session }) => session.deleteMany())', ['unknown']],
  [TOKENS, 'seen.delete(id)', []],
])('in %s: %s', (file, code, words) => {
  expect(saidOf(file, code)).toEqual(words)
})
