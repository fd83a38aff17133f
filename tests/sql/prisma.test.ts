import childProcess from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { promisify } from 'node:util'
import type pg from 'pg'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isDatabaseUnavailable } from '../../app/platform/db/unavailable'
import type { Db, Tables } from '../../app/platform/db/port'
import { createDb, createPool } from '../../app/platform/db/postgres.server'
import { useDatabase } from '../support/use-database'
import { until } from '../support/wait'

const execFile = promisify(childProcess.execFile)

// The promises about Prisma's statements (docs/decisions/0014-prisma-for-plain-statements.md).

const database = useDatabase()

const config = {
  poolSize: 1,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 5_000,
  log: pino({ level: 'silent' }),
}
let pool: pg.Pool
let db: Db
const open = (more: { url?: string; statementTimeoutMs?: number } = {}) => {
  pool = createPool({ ...config, url: database.url, ...more })
  db = createDb(pool)
}
beforeEach(() => open())
afterEach(() => pool.end())

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

async function addPrompt(text: string): Promise<string> {
  const id = randomUUID()
  await db.run(
    sql`insert into prompts (id, text, created_at) values (${id}, ${text}, engine_now())`,
  )
  return id
}

test('Prisma Client is not loaded before its first statement', async () => {
  const { stdout } = await execFile(process.execPath, [
    ...['--import', 'tsx', 'tests/sql/load-prisma.ts'],
    database.url,
  ])
  expect(JSON.parse(stdout)).toEqual({ before: false, after: true })
})

const NOBODY = randomUUID()

/** Records the statements that a connection or the pool sends. */
function recorded(target: { query: unknown }): string[] {
  const sent: string[] = []
  target.query = new Proxy(target.query as () => unknown, {
    apply: (query, self, [asked]: [pg.QueryConfig]): unknown => {
      sent.push(asked.text)
      return Reflect.apply(query, self, [asked])
    },
  })
  return sent
}

const NEW = { text: 'a prompt', createdAt: new Date() }

test.each<[string, (tables: Tables) => Promise<unknown>]>([
  ['findFirst', ({ prompt }) => prompt.findFirst({ where: { id: NOBODY } })],
  ['findMany', ({ user }) => user.findMany({ orderBy: [{ createdAt: 'asc' }], take: 3, skip: 1 })],
  ['count', ({ user }) => user.count({ where: { role: { not: 'admin' }, deletedAt: null } })],
  ['aggregate', ({ prompt }) => prompt.aggregate({ _sum: { copyCount: true } })],
  ['create', ({ prompt }) => prompt.create({ data: { ...NEW, id: randomUUID() } })],
  ['createMany', ({ prompt }) => prompt.createMany({ data: [{ ...NEW, id: randomUUID() }] })],
  ['updateMany', ({ prompt }) => prompt.updateMany({ data: { copyCount: { increment: 1 } } })],
  [
    'updateManyAndReturn',
    ({ prompt }) => prompt.updateManyAndReturn({ data: { isPinned: false }, select: { id: true } }),
  ],
  [
    'upsert',
    ({ prompt }) =>
      prompt.upsert({
        where: { id: NOBODY },
        create: { ...NEW, id: NOBODY },
        update: { text: 'changed' },
        select: { id: true },
      }),
  ],
  ['deleteMany', ({ session }) => session.deleteMany({ where: { userId: NOBODY } })],
])('%s is one statement', async (_, ask) => {
  const sent = recorded(pool)
  await db.prisma(ask)
  expect(sent).toHaveLength(1)
})

/** Two statements, because of the related rows. */
const withSessions = ({ user }: Tables) =>
  user.findMany({ select: { id: true, sessions: { select: { id: true } } } })

async function addUser(): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    insert into users (id, username, plan, video_limit, speed_limit, video_generation_speed)
    values (gen_random_uuid(), ${randomUUID()}, 'Starter', 1, 1, 1) returning id`)
  return id
}

test('a second statement is refused outside a transaction', async () => {
  const id = await addUser()
  await expect(db.prisma(withSessions)).rejects.toThrow('use db.transaction')
  const found = await db.transaction((tx) => tx.prisma(withSessions))
  expect(found).toEqual([{ id, sessions: [] }])
})

describe('in a transaction', () => {
  test('Prisma’s statements and SQL are one unit', async () => {
    await pool.end()
    // With a second connection, a statement that left the transaction would not see its rows.
    pool = createPool({ ...config, url: database.url, poolSize: 2 })
    db = createDb(pool)
    const id = randomUUID()
    const data = [{ ...NEW, id }]
    const work = db.transaction(async (tx) => {
      await tx.prisma(({ prompt }) => prompt.createMany({ data }))
      await tx.run(sql`update prompts set copy_count = 5 where id = ${id}`)
      const where = { id, copyCount: 5 }
      const [changed] = await tx.prisma(({ prompt }) =>
        prompt.updateManyAndReturn({ where, data: { skipCount: { increment: 2 } } }),
      )
      expect(changed).toMatchObject({ copyCount: 5, skipCount: 2 })
      // Other calls at the same time are not part of it.
      expect(await db.prisma(({ prompt }) => prompt.count({ where: { id } }))).toBe(0)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await db.prisma(({ prompt }) => prompt.count({ where: { id } }))).toBe(0)
  })

  test('concurrent transactions do not share statements', async () => {
    await pool.end()
    pool = createPool({ ...config, url: database.url, poolSize: 2 })
    db = createDb(pool)
    const own = () =>
      db.transaction(async (tx) => {
        const id = randomUUID()
        await tx.prisma(({ prompt }) => prompt.create({ data: { ...NEW, id, text: id } }))
        const seen = await tx.prisma(({ prompt }) =>
          prompt.findMany({ where: { text: { not: NEW.text } }, select: { id: true } }),
        )
        await tx.prisma(({ prompt }) => prompt.deleteMany({ where: { id } }))
        return { id, seen }
      })
    await db.run(sql`delete from prompts`)
    for (const { id, seen } of await Promise.all(Array.from({ length: 20 }, own)))
      expect(seen).toEqual([{ id }])
  })

  test('F5: an error of Prisma’s rolls back, and the connection is used again', async () => {
    const id = await addPrompt('as it was')
    const error = await failureOf(
      db.transaction(async (tx) => {
        await tx.run(sql`update prompts set text = 'changed' where id = ${id}`)
        await tx.prisma(({ prompt }) => prompt.create({ data: { ...NEW, id } }))
      }),
    )
    expect(error).toMatchObject({ code: '23505' })
    const row = await db.prisma(({ prompt }) => prompt.findFirst({ where: { id } }))
    expect(row?.text).toBe('as it was')
  })
})

test.each<[string, () => Promise<unknown>]>([
  ['statement', () => db.prisma(({ prompt }) => prompt.findMany())],
  [
    'statement in a transaction',
    () =>
      db.transaction((tx) =>
        tx.prisma(({ prompt }) => prompt.updateMany({ data: { text: 'changed' } })),
      ),
  ],
])('F7: a connection on which Prisma’s %s got no response is discarded', async (_, ask) => {
  await pool.end()
  open({ statementTimeoutMs: 1_000 })
  // From here on only the driver's timeout ends a statement, as when the server is frozen.
  await pool.query('set statement_timeout = 0')
  await database.client.query('begin; lock table prompts')
  const error = await failureOf(ask())
  expect(error).toMatchObject({ message: 'Query read timeout' })
  expect(isDatabaseUnavailable(error)).toBe(true)
  // While the lock is held: the pool's only connection is a new one.
  expect(await db.prisma(({ session }) => session.count())).toBe(0)
  expect(await db.row(sql`select 1 as one`)).toEqual({ one: 1 })
  await database.client.query('commit')
})

test('F5: Prisma’s errors are classified like those of SQL', async () => {
  const both = async (ask: (tables: Tables) => Promise<unknown>, statement = sql`select 1`) => {
    const [ofPrisma, ofSql] = [await failureOf(db.prisma(ask)), await failureOf(db.run(statement))]
    expect(ofPrisma).toBeInstanceOf(Error)
    expect((ofPrisma as pg.DatabaseError).code).toBe((ofSql as pg.DatabaseError).code)
    expect((ofPrisma as Error).message).toBe((ofSql as Error).message)
    return ofPrisma
  }
  await both(
    ({ prompt }) => prompt.findFirst({ where: { id: 'no uuid' } }),
    sql`select 1 from prompts where id = ${'no uuid'}`,
  )

  await pool.end()
  open({ statementTimeoutMs: 1_000 })
  await database.client.query('begin; lock table prompts')
  const late = await both(({ prompt }) => prompt.count(), sql`select count(*) from prompts`)
  expect(late).toMatchObject({ code: '57014' })
  expect(isDatabaseUnavailable(late)).toBe(true)
  await database.client.query('commit')

  await pool.end()
  open({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const refused = await both(({ prompt }) => prompt.count())
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  expect(isDatabaseUnavailable(refused)).toBe(true)
})

test('Prisma’s statement is retried after a deadlock', async () => {
  const [first, second] = [await addPrompt('first'), await addPrompt('second')]
  await database.client.query('begin')
  // PostgreSQL aborts the statement with the shorter deadlock_timeout: Prisma's, which takes the
  // locks in this order. It looks for a deadlock only once, so this must exist by then.
  await database.client.query(`set local deadlock_timeout = '1min'`)
  await pool.query(`set deadlock_timeout = '2s'`)
  await database.client.query('select 1 from prompts where id = $1 for update', [second])
  const deleted = db.prisma(({ prompt }) =>
    prompt.deleteMany({ where: { id: { in: [first, second] } } }),
  )
  await until('the statement to wait for a lock', async () => {
    const { rows } = await database.client.query('select 1 from pg_locks where not granted')
    return rows.length > 0
  })
  await database.client.query('select 1 from prompts where id = $1 for update', [first])
  await database.client.query('commit')
  expect(await deleted).toEqual({ count: 2 })
})

test('timestamps do not depend on the server’s time zone', async () => {
  await pool.end()
  const { pathname } = new URL(database.url)
  await database.client.query(`alter database ${pathname.slice(1)} set timezone = 'Asia/Tokyo'`)
  open()
  const id = await addPrompt('a moment')
  const [moment] = await db.rows<{ at: Date }>(sql`
    select created_at as at from prompts where id = ${id}`)
  const { at } = moment!
  const found = await db.prisma(({ prompt }) =>
    prompt.findFirst({ where: { id, createdAt: { gte: at } }, select: { createdAt: true } }),
  )
  expect(found).toEqual({ createdAt: at })
  const earlier = await db.prisma(({ prompt }) =>
    prompt.count({ where: { id, createdAt: { lt: at } } }),
  )
  expect(earlier).toBe(0)
})

/** Returns the columns that a Prisma schema declares, as `table.column type`. */
function columnsOf(schema: string): string[] {
  const named = (text: string, name: string) => /@map\("(\w+)"\)/.exec(text)?.[1] ?? name
  const blocks = [...schema.matchAll(/^(model|enum) (\w+) \{([^]*?)^\}/gm)]
  const types = new Map<string, string>(Object.entries(SCALARS))
  for (const [, kind, name = '', body = ''] of blocks)
    if (kind === 'enum') types.set(name, named(body, name))
  return blocks.flatMap(([, kind, name = '', body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name
    const fields = [...body.matchAll(/^ {2}(\w+) +(\w+)(\[\])?(\?)?(.*)$/gm)]
    return kind === 'enum'
      ? []
      : fields.flatMap(([, field = '', of = '', list, optional, rest = '']) => {
          const native = NATIVE[/@db\.(\w+)/.exec(rest)?.[1] ?? ''] ?? types.get(of)
          if (native === undefined) return []
          const type = `${list ? '_' : ''}${native}${optional ? '' : ' not null'}`
          return [`${table}.${named(rest, field)} ${type}`]
        })
  })
}
const SCALARS = {
  String: 'text',
  Int: 'int4',
  BigInt: 'int8',
  Boolean: 'bool',
  Bytes: 'bytea',
  Json: 'jsonb',
}
const NATIVE: Record<string, string> = {
  Uuid: 'uuid',
  Timestamptz: 'timestamptz',
  Date: 'date',
  VarChar: 'varchar',
  SmallInt: 'int2',
  Decimal: 'numeric',
}

test('Prisma’s schema has exactly the columns of the migrations', async () => {
  const { rows } = await database.client.query<{ line: string }>(
    `select table_name || '.' || column_name || ' ' || udt_name
       || case is_nullable when 'NO' then ' not null' else '' end as line
     from information_schema.columns
     where table_schema = 'public' and table_name <> '_prisma_migrations'`,
  )
  const schema = fs.readFileSync('prisma/schema.prisma', 'utf8')
  expect(columnsOf(schema).sort()).toEqual(rows.map(({ line }) => line).sort())
})
