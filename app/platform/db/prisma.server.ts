import type { PrismaClient } from '@prisma/client'
import type pg from 'pg'
import type { Db } from './port'

/**
 * The tables over our own pool. Prisma Client is loaded at the first use, which takes about 0.2 s of
 * processor time and 30 MB: a process that reads nothing with it does not pay for it. Errors are those
 * of the driver, as for SQL.
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
  // The other formats read our source files to quote it in errors.
  return new PrismaClient({ adapter: new PrismaPg(singly(pool)), errorFormat: 'minimal' })
}

/** An error on its way through Prisma, which would replace one that has a code. */
class Passed extends Error {
  constructor(cause: unknown) {
    super('The database answered with an error', { cause })
  }
}

/**
 * The same pool for single statements. Prisma's own transactions are refused: after a statement that
 * is never answered they keep their connection (docs/decisions/0095-prisma-for-plain-statements.md).
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
