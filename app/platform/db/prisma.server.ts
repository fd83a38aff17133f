import type { PrismaClient } from '@prisma/client'
import type pg from 'pg'
import type { Db } from './port'

/**
 * Opens Prisma Client over our own pool. The client is loaded on first use, because that takes
 * about 0.2 s of processor time and 30 MB, which processes that never use it should not pay for.
 * Errors are those of the driver, as for SQL.
 */
export function openPrisma(pool: pg.Pool): Db['prisma'] {
  let client: Promise<PrismaClient> | undefined
  return async (ask) => {
    client ??= loadClient(pool)
    try {
      return await ask(await client)
    } catch (error) {
      throw error instanceof Passed ? error.cause : error
    }
  }
}

async function loadClient(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import('@prisma/client'),
    import('@prisma/adapter-pg'),
  ])
  // The other formats read our source files to quote them in errors.
  return new PrismaClient({ adapter: new PrismaPg(singly(pool)), errorFormat: 'minimal' })
}

/** Carries a driver error through Prisma, which would replace an error that has a code. */
class Passed extends Error {
  constructor(cause: unknown) {
    super('The database answered with an error', { cause })
  }
}

/**
 * Returns the pool restricted to single statements. Prisma's own transactions are rejected, because
 * they would not release their connection after a statement that never returns
 * (docs/decisions/0014-prisma-for-plain-statements.md).
 */
function singly(pool: pg.Pool): pg.Pool {
  const query = (config: pg.QueryArrayConfig) =>
    pool.query(config).catch((error: unknown) => {
      throw new Passed(error)
    })
  const connect = () =>
    Promise.reject(new Error('Prisma opens no transaction here: write the statements as SQL'))
  const ours: Record<PropertyKey, unknown> = { query, connect }
  return new Proxy(pool, {
    get: (target, key): unknown => ours[key] ?? Reflect.get(target, key),
  })
}
