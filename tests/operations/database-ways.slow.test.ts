import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { runMigrations } from 'graphile-worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { openFitness } from '~/platform/db/fitness.server'
import { createPool } from '~/platform/db/postgres.server'
import { asOwner, databaseUrl, startThrowAwayCluster } from '../support/cluster'
import { createTestDatabase } from '../support/database'
import { command } from '../support/script'
import { generate } from 'selfsigned'

const tables = (url: string) =>
  asOwner(url, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_tables where schemaname = 'public'`,
    )
    return rows[0]!.n
  })

/** Some machines, containers above all, have no IPv6. */
const HAS_IPV6 = os.networkInterfaces().lo?.some(({ family }) => family === 'IPv6') ?? false

describe('addresses of databases', () => {
  let home: string
  let cluster: Awaited<ReturnType<typeof startThrowAwayCluster>>
  let ca: string
  beforeAll(async () => {
    home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-tls-'))
    await fs.chmod(home, 0o777)
    ca = path.join(home, 'server.crt')
    const altNames = [
      { type: 2 as const, value: 'localhost' },
      { type: 7 as const, ip: '127.0.0.1' },
    ]
    const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
      keySize: 2048,
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames },
      ],
    })
    await fs.writeFile(ca, pems.cert)
    await fs.writeFile(path.join(home, 'server.key'), pems.private)
    await fs.chmod(path.join(home, 'server.key'), 0o600)
    if (process.getuid?.() === 0) await fs.chown(path.join(home, 'server.key'), 65534, 65534)
    cluster = await startThrowAwayCluster({
      listen_addresses: HAS_IPV6 ? '127.0.0.1,::1' : '127.0.0.1',
      unix_socket_directories: home,
      ssl: 'on',
      ssl_cert_file: ca,
      ssl_key_file: path.join(home, 'server.key'),
    })
  })
  afterAll(async () => {
    await cluster.remove()
    await fs.rm(home, { recursive: true, force: true })
  })

  const newDatabase = async () => {
    const name = `db_${randomUUID().replaceAll('-', '')}`
    await asOwner(cluster.url, (client) => client.query(`create database ${name}`))
    return { name, url: new URL(databaseUrl(cluster.url, name)) }
  }

  /** Makes the server require TLS for all TCP connections from here on. */
  const insistOnTls = () =>
    asOwner(cluster.url, async (client) => {
      const { rows } = await client.query<{ hba_file: string }>('show hba_file')
      await fs.writeFile(
        rows[0]!.hba_file,
        'hostssl all all all scram-sha-256\nlocal all all scram-sha-256\n',
      )
      await client.query('select pg_reload_conf()')
    })

  test.skipIf(!HAS_IPV6)('IPv6', async () => {
    const six = await newDatabase()
    six.url.hostname = '[::1]'
    expect(await command('migrate', six.url.href)).toMatchObject({ code: 0 })
  })

  test('sockets', async () => {
    const local = await newDatabase()
    const { username, password, port } = local.url
    const socket = `postgresql://${username}:${password}@${encodeURIComponent(home)}:${port}/${local.name}`
    expect(await command('migrate', socket)).toMatchObject({ code: 0 })
    expect(await tables(databaseUrl(cluster.url, local.name))).toBeGreaterThan(20)
  })

  test('a password that a URL cannot contain, in PGPASSWORD', async () => {
    const { name, url } = await newDatabase()
    await asOwner(cluster.url, (client) =>
      client.query(
        `create role odd login password 'p@ss/w:rd%#'; alter database ${name} owner to odd`,
      ),
    )
    url.username = 'odd'
    url.password = ''
    const outcome = await command('migrate', url.href, { PGPASSWORD: 'p@ss/w:rd%#' })
    expect(outcome).toMatchObject({ code: 0 })
  })

  test('TLS with certificate verification, for every part of the release step', async () => {
    const { url } = await newDatabase()
    await insistOnTls()
    const plain = await command('migrate', url.href)
    expect(plain.code).toBe(1)
    expect(plain.output).toMatch(
      /^The database cannot be used: no pg_hba\.conf entry .* Check user and sslmode in DATABASE_URL, .*\n$/,
    )
    const [unchecked, absent] = [new URL(url.href), new URL(url.href)]
    unchecked.searchParams.set('sslmode', 'verify-full')
    absent.searchParams.set('sslrootcert', path.join(home, 'none.crt'))
    for (const { href } of [unchecked, absent])
      expect((await command('migrate', href)).output).toMatch(
        /^The database cannot be used: .* in DATABASE_URL.*\n$/,
      )
    url.searchParams.set('sslmode', 'verify-full')
    url.searchParams.set('sslrootcert', ca)
    expect(await command('migrate', url.href)).toMatchObject({ code: 0 })
    expect(await tables(url.href)).toBeGreaterThan(20)
  })
})

describe('rights', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let user: string
  let pool: pg.Pool
  let ownUrl: string
  beforeAll(async () => {
    database = await createTestDatabase()
    user = `app_${randomUUID().slice(0, 8)}`
    await asOwner(database.url, (client) =>
      client.query(`create role ${user} login password 'secret'`),
    )
    const own = new URL(database.url)
    own.username = user
    own.password = 'secret'
    ownUrl = own.href
    pool = createPool({
      url: ownUrl,
      poolSize: 10,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 60_000,
      log: pino({ level: 'silent' }),
    })
  })
  afterAll(async () => {
    await pool.end()
    await asOwner(database.url, (client) =>
      client.query(`drop owned by ${user}; drop role ${user}`),
    )
    await database.drop()
  })

  test('the grants script adds all missing rights, also to tables with row-level security; until then the message names it', async () => {
    const databaseProblem = openFitness(pool)
    expect(await databaseProblem()).toMatch(
      new RegExp(
        `^The database user ${user} may not .+ \\(and \\d+ more\\)\\. .*: npm run grants -- ${user}$`,
      ),
    )
    expect(await command('grants', database.url, {}, user)).toEqual({
      code: 0,
      output: `${user} may now do what web and worker need.\n`,
    })
    expect(await databaseProblem()).toBeNull()

    // The queue's tables, which have row-level security, can be read and written.
    const { rows } = await pool.query(
      `select id from graphile_worker.add_job('videos.dispatch', '{}')`,
    )
    expect(rows).toHaveLength(1)
    const seen = await pool.query('select 1 from graphile_worker.jobs')
    expect(seen.rowCount).toBe(1)
    // The worker runs the queue's migrations at every start.
    await runMigrations({ pgPool: pool })
  })

  test('the commands for operators run as that user; until the grants they name a missing right', async () => {
    await asOwner(database.url, (client) => client.query(`revoke all on videos from ${user}`))
    const refused = await command('same-names', ownUrl)
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(new RegExp(`^The database user ${user} may not .*\\n$`))
    await command('grants', database.url, {}, user)
    expect(await command('same-names', ownUrl)).toEqual({
      code: 0,
      output: 'Every account belongs to a different person.\n',
    })
    expect(await command('reseal', ownUrl)).toMatchObject({ code: 0 })
    // A backup contains the tables of migrations, which only their owner reads.
    expect(await command('backup', ownUrl, {}, path.join(os.tmpdir(), 'none.backup'))).toEqual({
      code: 1,
      output:
        'The database refused: permission denied for table _prisma_migrations. This command needs the owner of the tables in DATABASE_URL.\n',
    })
  })

  test('migrations by that user are refused with what to do, also in an empty database', async () => {
    const name = `empty_${randomUUID().replaceAll('-', '')}`
    await asOwner(database.url, (client) => client.query(`create database ${name}`))
    const empty = new URL(ownUrl)
    empty.pathname = name
    expect(await command('migrate', empty.href)).toEqual({
      code: 1,
      output: `The database user ${user} may not create tables in ${name}. Use the owner of the database in DATABASE_URL.\n`,
    })
    await asOwner(database.url, (client) => client.query(`drop database ${name}`))
    expect(await command('migrate', ownUrl)).toEqual({
      code: 1,
      output:
        'The database refused: permission denied for table _prisma_migrations. This command needs the owner of the tables in DATABASE_URL.\n',
    })
  })

  test('the user cannot alter tables, and can neither read nor write the tables of migrations', async () => {
    await command('grants', database.url, {}, user)
    const forbidden = [
      'alter table users add column extra int',
      'alter table videos disable trigger all',
      'drop table trail_entries',
      'truncate trail_entries',
      'create table more (id int)',
      'create index on users (plan)',
      'create or replace function engine_now() returns timestamptz language sql as $$select now()$$',
      'create role another',
      'select 1 from _prisma_migrations',
      `insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', 'x')`,
      'delete from graphile_worker.migrations',
      `insert into graphile_worker.migrations (id) values (9999)`,
      'select rolpassword from pg_authid',
      `select pg_read_file('postmaster.pid')`,
      `copy users to program 'cat'`,
    ]
    for (const statement of forbidden)
      await expect(pool.query(statement), statement).rejects.toMatchObject({ code: '42501' })
    // Revokes what an earlier version granted.
    await asOwner(database.url, (client) =>
      client.query(`grant select, insert on _prisma_migrations to ${user}`),
    )
    await command('grants', database.url, {}, user)
    await expect(pool.query('select 1 from _prisma_migrations')).rejects.toThrow('permission')
  })

  test('tables of other software in the same database are left alone', async () => {
    const other = `other_${randomUUID().slice(0, 8)}`
    await asOwner(database.url, (client) =>
      client.query(
        `create role ${other}; grant create on schema public to ${other}; set role ${other};
         create table not_ours (id int)`,
      ),
    )
    expect(await command('grants', database.url, {}, user)).toMatchObject({ code: 0 })
    expect(await openFitness(pool)()).toBeNull()
    await asOwner(database.url, (client) =>
      client.query(`drop owned by ${other}; drop role ${other}`),
    )
  })

  test('W11: dates and paths of the database or the role change nothing; a session that lost its settings is named', async () => {
    await command('grants', database.url, {}, user)
    const readable = async (own: pg.Pool) => {
      const { rows } = await own.query<{ at: unknown; id: unknown }>(
        `select '2026-12-31T01:02:03Z'::timestamptz as at, interval '36 hours'::text as id`,
      )
      return rows[0]
    }
    const expected = await readable(pool)
    await asOwner(database.url, (client) =>
      client.query(
        `alter role ${user} set datestyle to 'German';
         alter role ${user} set intervalstyle to 'sql_standard';
         alter role ${user} set timezone to 'Asia/Karachi';
         alter role ${user} set bytea_output to 'escape';
         alter role ${user} set search_path to 'pg_catalog'`,
      ),
    )
    const fresh = createPool({
      url: ownUrl,
      poolSize: 2,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 60_000,
      log: pino({ level: 'silent' }),
    })
    try {
      expect(expected?.at).toEqual(new Date('2026-12-31T01:02:03Z'))
      expect(await readable(fresh)).toEqual(expected)
      expect(await openFitness(fresh)()).toBeNull()
      // A pooler that resets sessions brings the role's own settings back.
      const clients = [await fresh.connect(), await fresh.connect()]
      for (const client of clients) {
        await client.query('reset all')
        await client.query(`set search_path to '$user', public`)
      }
      for (const client of clients) client.release()
      const problem = await openFitness(fresh)()
      expect(problem).toMatch(/^The database sets \w+ to ".+", although/)
    } finally {
      await fresh.end()
      await asOwner(database.url, (client) => client.query(`alter role ${user} reset all`))
    }
  })

  test('a single missing right is named', async () => {
    await command('grants', database.url, {}, user)
    await asOwner(database.url, (client) => client.query(`revoke delete on videos from ${user}`))
    expect(await openFitness(pool)()).toContain('may not delete public.videos.')
    await asOwner(database.url, (client) =>
      client.query(
        `drop policy "reelmill ${user}" on graphile_worker._private_jobs; grant delete on videos to ${user}`,
      ),
    )
    expect(await openFitness(pool)()).toContain(
      'may not see the rows of graphile_worker._private_jobs.',
    )
  })
})
