import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../../app/platform/db/port'

// Statements with one mistake each. They are never run; statements.test.ts expects a problem for
// each.

export const wrongClaims = (db: Executor, { word, ids }: { word: string; ids: string[] }) => [
  db.rows(sql`select id from users where phone_number = ${word}`),
  db.rows<{ id: number }>(sql`select id from users`),
  db.rows<{ email: string }>(sql`select email from users`),
  db.rows<{ id: string; name: string }>(sql`select id from users`),
  db.rows<{ id: string }>(sql`select id, username from users`),
  db.rows<{ kind: 'single' }>(sql`select kind from drafts`),
  db.rows<{ limit: string }>(sql`select video_limit as "limit" from users`),
  db.rows<{ day: Date }>(sql`select day from quota_days`),
  db.rows<{ text: string }>(sql`
    select prompts.text from users left join prompts on prompts.id = users.id`),
  db.run(sql`delete from users where id = any(${word}::uuid[])`),
  db.run(sql`delete from users where video_limit = ${word}`),
  db.run(
    sql`delete from users where ${ids.length > 0 ? sql`id` : sql`identity`} = any(${ids}::uuid[])`,
  ),
]

/** Statements that cannot be checked. */
export const uncheckable = (db: Executor, { word, part }: { word: string; part: () => Sql }) => [
  db.run(sql`delete from ${raw(word)}`),
  db.run(sql`delete from users where ${part()}`),
]

export const inNoStatement = sql`id = 1`
