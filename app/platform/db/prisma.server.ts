import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrismaClient } from '@prisma/client'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import type { Executor } from './port'

/** Sends a statement: on the pool, or in a transaction. */
type Send = (asked: pg.QueryArrayConfig) => Promise<unknown>

/** Where the statements of one Prisma call go, and how many more it may send. */
type Route = { send: Send; statementsLeft: number }

/**
 * Opens Prisma Client over our own pool and transactions. The function that is returned makes an
 * executor's `prisma` from a way to send statements and the number that one call may send. The
 * client is loaded on first use, because that takes about 0.2 s of processor time and 30 MB, which
 * processes that never use it should not pay for.
 */
export function openPrisma(
  pool: pg.Pool,
): (send: Send, limit: { statements: number }) => Executor['prisma'] {
  const routes = new AsyncLocalStorage<Route>()
  let client: Promise<PrismaClient> | undefined
  return (send, { statements }) =>
    async (call) => {
      client ??= loadClient(pool, routes).catch((error: unknown) => {
        client = undefined
        throw error
      })
      const tables = await client
      try {
        // Awaited inside, because Prisma sends the statement when its promise is awaited.
        return await routes.run(
          { send, statementsLeft: statements },
          async () => await call(tables),
        )
      } catch (error) {
        throw error instanceof DriverError ? error.cause : error
      }
    }
}

async function loadClient(pool: pg.Pool, routes: AsyncLocalStorage<Route>): Promise<PrismaClient> {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import('@prisma/client'),
    import('@prisma/adapter-pg'),
  ])
  const adapter = withoutTransactions(new PrismaPg(routed(pool, routes)))
  // The other formats read our source files to quote them in errors.
  return new PrismaClient({ adapter, errorFormat: 'minimal' })
}

/** Carries a driver error through Prisma, which would replace an error that has a code. */
class DriverError extends Error {
  constructor(cause: unknown) {
    super('The database answered with an error', { cause })
  }
}

/** Returns the pool for Prisma's adapter. It sends each statement along the route of its call. */
function routed(pool: pg.Pool, routes: AsyncLocalStorage<Route>): pg.Pool {
  const query = async (config: pg.QueryArrayConfig) => {
    const route = routes.getStore()
    if (!route) throw new Error('Prisma was called outside db.prisma and tx.prisma')
    if (--route.statementsLeft < 0)
      throw new Error('Outside a transaction Prisma may send one statement: use db.transaction')
    return route.send(config).catch((error: unknown) => {
      throw new DriverError(error)
    })
  }
  return new Proxy(pool, {
    get: (target, key): unknown => (key === 'query' ? query : Reflect.get(target, key)),
  })
}

/**
 * Replaces the transactions that Prisma opens on a connection of its own, for example for
 * `updateMany`: it would keep that connection after a statement that never returns. The statements
 * take the route of the call instead. One alone needs no transaction, and several run in ours.
 */
function withoutTransactions(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const connect = async (): Promise<SqlDriverAdapter> => {
    const connection = await factory.connect()
    const { provider, adapterName } = connection
    connection.startTransaction = () =>
      Promise.resolve({
        provider,
        adapterName,
        queryRaw: (query) => connection.queryRaw(query),
        executeRaw: (query) => connection.executeRaw(query),
        // Prisma then sends no BEGIN, COMMIT or ROLLBACK.
        options: { usePhantomQuery: true },
        commit: () => Promise.resolve(),
        rollback: () => Promise.resolve(),
      })
    return connection
  }
  return { provider: factory.provider, adapterName: factory.adapterName, connect }
}
