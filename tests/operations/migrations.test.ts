import { execFileSync } from 'node:child_process'
import os from 'node:os'
import pg from 'pg'
import { expect } from 'vitest'
import { asOwner } from '../support/cluster'
import { createTestDatabase } from '../support/database'
import { bareEnv, testEnv } from '../support/processes'
import { command } from '../support/script'
import { until } from '../support/wait'
import { slowTest, test } from '../support/slow'

const RETENTION = '20261122181000_retention'
/** Undoes a migration that locks several tables. */
const UNDONE = `
  drop table retention;
  alter table videos drop column restored_at;
  alter table quota_days drop column removed_returned;
  drop index attempts_in_vain_idx, quota_charges_day_idx, rounds_fired_at_idx;`

slowTest(
  'a migration waits for tables in use without stopping their users, and continues after one that failed',
  async () => {
    const database = await createTestDatabase()
    // An earlier attempt was killed.
    await asOwner(database.url, (client) =>
      client.query(
        `${UNDONE}
       update _prisma_migrations set finished_at = null where migration_name = '${RETENTION}'`,
      ),
    )
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin; select 1 from videos limit 1')
    const migrated = command('migrate', database.url)
    const waiting = () =>
      asOwner(database.url, async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_locks where relation = 'videos'::regclass and not granted`,
        )
        return rows.length > 0
      })
    await until('the migration to wait', waiting)
    await until('the migration to step aside', async () => !(await waiting()))
    await until('the migration to wait again', waiting)
    await reader.end()
    expect(await migrated).toMatchObject({ code: 0 })
    const { rowCount } = await asOwner(database.url, (client) =>
      client.query(
        'select removed from retention union all select removed_returned from quota_days',
      ),
    )
    expect(rowCount).toBe(0)
    await database.drop()
  },
)

slowTest('a migration that fails is reported in one line, without a trace', async () => {
  const database = await createTestDatabase()
  await asOwner(database.url, (client) =>
    client.query(`delete from _prisma_migrations where migration_name = '${RETENTION}'`),
  )
  expect(await command('migrate', database.url)).toEqual({
    code: 1,
    output: `${RETENTION}: relation "retention" already exists\nThe database could not be migrated: see the lines above.\n`,
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
