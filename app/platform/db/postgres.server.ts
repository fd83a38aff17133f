import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Sql } from 'sql-template-tag'
import type { Db, Executor } from './port'
import { openPrisma } from './prisma.server'
import { SESSION } from './session'
import { closeTimedOut, failAtOnce, releaseOnce } from './pool-guards.server'

export type PostgresConfig = {
  url: string
  /** The maximum number of connections. */
  poolSize: number
  /** How long a statement waits for a free connection. */
  connectTimeoutMs: number
  statementTimeoutMs: number
  log: Logger
}

/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- only the author of a statement knows its columns */

const RETRYABLE = new Set(['40001', '40P01'])

/**
 * Parses bigints as numbers: they are versions, sizes and counts far below 2^53. Dates stay
 * YYYY-MM-DD.
 */
function ownTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.DATE, String)
  return types
}

/**
 * Time limits for statements, and the time zone. The server cancels a statement that takes too long.
 * If the server itself hangs, the driver's own timer (`query_timeout`) rejects the query.
 */
const sessionSettings = ({ connectTimeoutMs, statementTimeoutMs }: PostgresConfig) => ({
  connectionTimeoutMillis: connectTimeoutMs,
  query_timeout: statementTimeoutMs + ANSWER_MS,
  // Set by a statement, not by connection parameters: PgBouncer rejects parameters it does not
  // know.
  onConnect: async (client: pg.ClientBase) => {
    const settings = {
      ...SESSION,
      statement_timeout: String(statementTimeoutMs),
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    }
    await client.query(
      'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as s(name, value)',
      [Object.keys(settings), Object.values(settings)],
    )
  },
})
/** How long the server may take to report that it cancelled a statement. */
const ANSWER_MS = 1_000
/** Our transactions never wait for network calls or other outside work, so idle ones are ended. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** Creates the product's own pool, with the type parsers that `Executor` promises. */
export const createPool = (config: PostgresConfig): pg.Pool =>
  openPool(config, { types: ownTypes() })

/**
 * Creates graphile-worker's pool, with the driver's default type parsers: it expects job ids as
 * text.
 */
export function createQueuePool(config: PostgresConfig): pg.Pool {
  const pool = openPool(config, {})
  failAtOnce(pool)
  releaseOnce(pool)
  return pool
}

/** Opens a pool on which a broken idle connection does not end the process. */
function openPool(config: PostgresConfig, types: Pick<pg.PoolConfig, 'types'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.url,
    max: config.poolSize,
    // Idle connections stay open: opening one costs PostgreSQL a process, and more than most
    // statements. `poolSize` is what it has room for.
    idleTimeoutMillis: 0,
    ...sessionSettings(config),
    keepAlive: true,
    application_name: 'reelmill',
    ...types,
  })
  const onError = (error: Error) => config.log.warn({ err: error }, 'database connection lost')
  pool.on('error', onError)
  // A client can also fail while it is checked out. Without a listener that would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  closeTimedOut(pool)
  return pool
}

/** Creates the database access over a pool. Connects lazily, on the first query. */
export function createDb(pool: pg.Pool): Db {
  const prismaOver = openPrisma(pool)
  const inTransaction = (query: Query): Executor =>
    executorOver(query, prismaOver(query, { statements: Infinity }))
  const single: Query = (asked) => retrying(() => pool.query(asked))
  return {
    ...executorOver(single, prismaOver(single, { statements: 1 })),
    transaction: (work) =>
      retrying(() =>
        transact(pool, 'begin', (query) => work({ ...inTransaction(query), inTransaction: true })),
      ),
    snapshot: (work) =>
      retrying(() => transact(pool, SNAPSHOT, (query) => work(inTransaction(oneAtATime(query))))),
    close: () => pool.end(),
  }
}

type Query = <Row extends object>(
  asked: pg.QueryConfig,
) => Promise<{ rows: Row[]; rowCount: number | null }>

function executorOver(query: Query, prisma: Executor['prisma']): Executor {
  const send = <Row extends object>({ text, values }: Sql) =>
    query<Row>({ name: nameOf(text), text, values })
  return {
    rows: async <Row extends object>(sql: Sql) => (await send<Row>(sql)).rows,
    one: async <Row extends object>(sql: Sql): Promise<Row> => {
      const [row] = (await send<Row>(sql)).rows
      if (!row) throw new Error('a statement that always has a row had none')
      return row
    },
    row: async <Row extends object>(sql: Sql): Promise<Row | undefined> =>
      (await send<Row>(sql)).rows[0],
    run: async (sql) => (await send(sql)).rowCount ?? 0,
    prisma,
  }
}

/** feature_not_supported: "cached plan must not change result type". */
const isStale = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === '0A000'

const names = new Map<string, string>()

/**
 * Returns one name per statement text, so that a connection parses and plans each text only once.
 */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
  names.set(text, name)
  return name
}

const SNAPSHOT = 'begin isolation level repeatable read, read only'

/**
 * Serialises queries that are started concurrently: each is sent once the previous one has
 * returned.
 */
function oneAtATime(query: Query): Query {
  let last: Promise<unknown> = Promise.resolve()
  return <Row extends object>(asked: pg.QueryConfig) => {
    const result = last.then(() => query<Row>(asked))
    // After a failure nothing more is sent: another caller may have the connection by then.
    last = result
    result.catch(() => undefined)
    return result
  }
}

async function transact<T>(
  pool: pg.Pool,
  begin: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work((query) => client.query(query))
    await client.query('commit')
    return result
  } catch (error) {
    broken = await rollBack(client, error)
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Rolls back. Returns an error if the connection must be discarded, undefined if it can be reused.
 */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  try {
    await client.query('rollback')
  } catch (failure) {
    return failure instanceof Error ? failure : new Error('rollback failed')
  }
  // A migration changed a prepared statement's result type: this connection cannot run it again.
  return isStale(error) ? error : undefined
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 3 || !(error instanceof pg.DatabaseError)) throw error
      if (!RETRYABLE.has(error.code ?? '') && !isStale(error)) throw error
    }
  }
}
