import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { compareMigrations } from '../../scripts/lib/migrate.mjs'
import { deployMigrations } from '../../scripts/lib/prisma.mjs'
import { asOwner } from '../support/cluster'
import { createTestDatabase } from '../support/database'
import { bareEnv, testEnv } from '../support/processes'
import { command } from '../support/script'
import { until } from '../support/wait'
import { slowTest, test } from '../support/slow'

const SCHEMA_OF_0_1_0 = '20261129063101_schema_of_0_1_0'
const LAST_OF_0_1_0 = '20261129063100_price_of_what_was_paid'
const FILMS = '20261129115952_films_are_downloads'
const TELEGRAM = '20261129120500_alarms_by_telegram'

/** Creates a database as the last version of 0.1.0 has left it. */
async function databaseOf010() {
  const database = await createTestDatabase()
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-0.1.0-'))
  await fs.copyFile('prisma/schema.prisma', path.join(dir, 'schema.prisma'))
  const folder = path.join('migrations', SCHEMA_OF_0_1_0)
  await fs.cp(path.join('prisma', folder), path.join(dir, folder), { recursive: true })
  await asOwner(database.url, (client) =>
    client.query('drop schema public cascade; create schema public'),
  )
  await deployMigrations(database.url, ['--schema', path.join(dir, 'schema.prisma')])
  await asOwner(database.url, (client) =>
    client.query('update _prisma_migrations set migration_name = $1', [LAST_OF_0_1_0]),
  )
  await fs.rm(dir, { recursive: true })
  return database
}

const shapeOf = (url: string) =>
  asOwner(url, async (client) => {
    const columns = `select table_name, column_name, data_type, is_nullable, column_default
      from information_schema.columns where table_schema = 'public' order by 1, 2`
    const others = `select indexdef as def from pg_indexes where schemaname = 'public'
      union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace order by 1`
    return [(await client.query(columns)).rows, (await client.query(others)).rows]
  })

test('a database of the last version of 0.1.0 becomes like a new one, and keeps its rows', async () => {
  const database = await databaseOf010()
  await asOwner(database.url, (client) =>
    client.query(`insert into prompts (id, text) values (gen_random_uuid(), 'A kite')`),
  )
  expect(await command('migrate', database.url)).toMatchObject({ code: 0 })
  const fresh = await createTestDatabase()
  expect(await shapeOf(database.url)).toEqual(await shapeOf(fresh.url))
  const { rows } = await asOwner(database.url, (client) => client.query('select text from prompts'))
  expect(rows).toEqual([{ text: 'A kite' }])
  // The second time there is nothing to do.
  expect(await command('migrate', database.url)).toMatchObject({ code: 0, output: '' })
  await fresh.drop()
  await database.drop()
})

test('a database or a backup from before the last version of 0.1.0 is refused in words', async () => {
  const database = await createTestDatabase()
  await asOwner(database.url, (client) =>
    client.query(`
      update _prisma_migrations set migration_name = '20261121000000_accounts_and_videos'
      where migration_name = '${SCHEMA_OF_0_1_0}'`),
  )
  const { code, output } = await command('migrate', database.url)
  expect(code).toBe(1)
  expect(output).toMatch(
    /^This database is from a version before the last one of 0\.1\.0\. Install/,
  )
  await database.drop()
  const old = ['20261121000000_accounts_and_videos', LAST_OF_0_1_0]
  expect(await compareMigrations(old)).toMatchObject({ known: [SCHEMA_OF_0_1_0], isTooOld: false })
  expect(await compareMigrations([...old, SCHEMA_OF_0_1_0, FILMS, '2099_later'])).toMatchObject({
    known: [SCHEMA_OF_0_1_0, FILMS],
    unknown: ['2099_later'],
    isTooOld: false,
  })
  expect(await compareMigrations(old.slice(0, 1))).toMatchObject({ isTooOld: true })
  expect(await compareMigrations([])).toMatchObject({ known: [], unknown: [], isTooOld: false })
})

slowTest(
  'a migration waits for tables in use without stopping their users, and continues after one that failed',
  async () => {
    const database = await databaseOf010()
    // An earlier attempt was killed.
    await asOwner(database.url, (client) =>
      client.query(
        `insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', $1)`,
        [FILMS],
      ),
    )
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin; select 1 from films limit 1')
    const migrated = command('migrate', database.url)
    const waiting = () =>
      asOwner(database.url, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_locks where relation = 'films'::regclass and not granted`,
        )
        return rows.length > 0
      })
    await until('the migration to wait', waiting)
    await until('the migration to step aside', async () => !(await waiting()))
    await until('the migration to wait again', waiting)
    await reader.end()
    expect(await migrated).toMatchObject({ code: 0 })
    const { rows } = await asOwner(database.url, (client) =>
      client.query(`select to_regclass('films') as films`),
    )
    expect(rows).toEqual([{ films: null }])
    await database.drop()
  },
)

slowTest('a migration that fails is reported in one line, without a trace', async () => {
  const database = await createTestDatabase()
  await asOwner(database.url, (client) =>
    client.query(`delete from _prisma_migrations where migration_name = '${TELEGRAM}'`),
  )
  expect(await command('migrate', database.url)).toEqual({
    code: 1,
    output: `${TELEGRAM}: enum label "telegram" already exists\nThe database could not be migrated: see the lines above.\n`,
  })
  await database.drop()
})

test('a database that a newer version has migrated is left alone', async () => {
  const database = await createTestDatabase()
  await asOwner(database.url, (client) =>
    client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '20990101000000_later', now())`,
    ),
  )
  const { code, output } = await command('migrate', database.url)
  expect(code).toBe(1)
  expect(output).toMatch(
    /^This database is newer than this version of the product: it has 20990101000000_later\./,
  )
  await database.drop()
})

test('a generated password is shown once, a chosen one never; only an empty library gets prompts', async () => {
  const database = await createTestDatabase()
  const prepare = (env: Record<string, string>) =>
    execFileSync(process.execPath, ['build/prepare.js'], {
      env: { ...bareEnv(), ...testEnv(database.url, os.tmpdir()), ...env },
    }).toString()
  const chosen = prepare({ ADMIN_PASSWORD: 'CANARY-chosen' })
  expect(chosen).toContain('the one in ADMIN_PASSWORD')
  expect(chosen).not.toContain('CANARY')
  const prompts = () =>
    asOwner(database.url, async (client) => (await client.query('select 1 from prompts')).rowCount)
  expect(await prompts()).toBe(12)
  await asOwner(database.url, (client) =>
    client.query('delete from users; delete from prompts where text < $$B$$'),
  )
  expect(prepare({})).toMatch(/shown only now:\n +username {2}admin\n +password {2}\S{12}\n/)
  expect(prepare({})).toBe('')
  expect(await prompts()).toBe(1)
  await database.drop()
})

slowTest('issue 50.4: alarms that wait at an upgrade are kept once, with their ids', async () => {
  const database = await createTestDatabase()
  const [sent, waits, old] = ['1', '2', '3'].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
  const rows = await asOwner(database.url, async (client) => {
    await client.query(`
      delete from _prisma_migrations where migration_name = '20261129120501_alarms_are_notifications';
      alter table notifications alter column user_id set not null;
      create table alarm_messages (id uuid, channel text, name text, state text, text text, at timestamptz,
        sent_at timestamptz, next_try_at timestamptz, tries int, problem text);
      insert into alarm_messages values
        ('${sent}', 'telegram', 'disk', 'begins', E'Films: Space is short\n2 GB', now(), now(), now(), 1, null),
        ('${waits}', 'webhook', 'disk', 'begins', E'Films: Space is short\n2 GB', now(), null, now(), 3, 'refused'),
        ('${old}', 'email', 'disk', 'begins', 'Films: Old', now() - interval '2 days', null, now(), 9, 'refused')`)
    expect(await command('migrate', database.url)).toMatchObject({ code: 0 })
    const found = await client.query<{ id: string; body: string }>(
      `select id, user_id, channel, title, body, state, tries, problem from notifications order by id`,
    )
    return found.rows
  })
  const title = 'Films: Space is short'
  expect(rows).toMatchObject([
    { id: sent, user_id: null, channel: 'telegram', state: 'sent', title, body: `${title}\n2 GB` },
    { id: waits, channel: 'webhook', state: 'waiting', tries: 3, problem: 'refused', title },
    { id: old, channel: 'email', state: 'failed', title: 'Films: Old' },
  ])
  expect(JSON.parse(rows[1]?.body ?? '')).toMatchObject({
    product: 'Films',
    id: waits,
    name: 'disk',
    state: 'begins',
    text: `${title}\n2 GB`,
  })
  await database.drop()
})
