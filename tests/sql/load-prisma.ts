// Run by prisma.test.ts in a process of its own, because other tests have loaded Prisma Client in theirs.
import { createRequire } from 'node:module'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { createDb, createPool } from '../../app/platform/db/postgres.server'

const isLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((file) =>
    file.includes('@prisma/client/runtime'),
  )

const pool = createPool({
  url: process.argv[2] ?? '',
  poolSize: 1,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 5_000,
  log: pino({ level: 'silent' }),
})
const db = createDb(pool)
await db.run(sql`select 1`)
const before = isLoaded()
await db.prisma(({ prompt }) => prompt.count())
process.stdout.write(JSON.stringify({ before, after: isLoaded() }))
await pool.end()
