import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Sql } from 'sql-template-tag'
import type { Db, Executor, Tx } from './port'
import { openPrisma } from './prisma.server'
import { closeUnanswered, failAtOnce } from './unanswered.server'

export type PostgresConfig = {
  url: string
  /** Connections that statements may hold. */
  poolSize: number
  /** How long a free connection is waited for. */
  connectTimeoutMs: number
  statementTimeoutMs: number
  log: Logger
}

/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- only who wrote a statement knows its columns */

const RETRYABLE = new Set(['40001', '40P01'])

/** bigint columns hold versions, sizes and counts, all far below 2^53; dates stay YYYY-MM-DD. */
function ownTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.DATE, String)
  return types
}

/**
 * What ends a statement that takes too long: the server, or, where the server itself hangs
 * and says nothing more, our own clock.
 */
const limits = ({ connectTimeoutMs, statementTimeoutMs }: PostgresConfig) => ({
  connectionTimeoutMillis: connectTimeoutMs,
  query_timeout: statementTimeoutMs + ANSWER_MS,
  // A statement, and no parameters of the connection: PgBouncer refuses those it does not know.
  onConnect: async (client: pg.ClientBase) => {
    await client.query(
      `select set_config('statement_timeout', $1, false),
        set_config('idle_in_transaction_session_timeout', $2, false),
        -- Prisma's adapter reads and writes moments without their offset.
        set_config('timezone', 'UTC', false)`,
      [String(statementTimeoutMs), String(IDLE_IN_TRANSACTION_MS)],
    )
  },
})
/** How long the server may take to say that it ended a statement. */
const ANSWER_MS = 1_000
/** Nothing of ours waits for the outside world while it holds locks. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** The product's own pool; its types are those that `Executor` promises. */
export const createPool = (config: PostgresConfig): pg.Pool =>
  openPool(config, { types: ownTypes() })

/** The pool of graphile-worker, with the driver's own types: it knows a job's id as text. */
export function createQueuePool(config: PostgresConfig): pg.Pool {
  const pool = openPool(config, {})
  failAtOnce(pool)
  return pool
}

/** A pool whose idle connections may break without ending the process. */
function openPool(config: PostgresConfig, types: Pick<pg.PoolConfig, 'types'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.url,
    max: config.poolSize,
    ...limits(config),
    keepAlive: true,
    application_name: 'reelmill',
    ...types,
  })
  const onError = (error: Error) => config.log.warn({ err: error }, 'database connection lost')
  pool.on('error', onError)
  // A client can also fail while it is checked out; without a listener that ends the process.
  pool.on('connect', (client) => client.on('error', onError))
  closeUnanswered(pool)
  return pool
}

/** Connects lazily: nothing is opened before the first query. */
export function createDb(pool: pg.Pool): Db {
  const prisma = openPrisma(pool)
  const executor = executorOver((query) => retrying(() => pool.query(query)))
  return {
    ...executor,
    prisma: (ask) => retrying(() => prisma(ask)),
    transaction: (work) => retrying(() => transact(pool, 'begin', (query) => work(txOver(query)))),
    snapshot: (work) =>
      retrying(() => transact(pool, SNAPSHOT, (query) => work(executorOver(oneAtATime(query))))),
    ping: async () => {
      await pool.query('select 1')
    },
    close: () => pool.end(),
  }
}

type Asked = {
  /** Under which a connection keeps what it has parsed. */
  name: string
  text: string
  values: unknown[]
}
type Query = <Row extends object>(
  asked: Asked,
) => Promise<{
  rows: Row[]
  rowCount: number | null
}>

function executorOver(query: Query): Executor {
  const send = <Row extends object>({ text, values }: Sql) =>
    query<Row>({ name: nameOf(text), text, values })
  return {
    rows: async <Row extends object>(sql: Sql) => (await send<Row>(sql)).rows,
    row: async <Row extends object>(sql: Sql): Promise<Row | undefined> =>
      (await send<Row>(sql)).rows[0],
    run: async (sql) => (await send(sql)).rowCount ?? 0,
  }
}

/** feature_not_supported: "cached plan must not change result type". */
const isStale = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === '0A000'

const names = new Map<string, string>()

/** The same name for the same text: a connection parses and plans it once, not once a call. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
  names.set(text, name)
  return name
}

const SNAPSHOT = 'begin isolation level repeatable read, read only'

/** Statements that are asked for side by side, each sent when the one before has its answer. */
function oneAtATime(query: Query): Query {
  let last: Promise<unknown> = Promise.resolve()
  return <Row extends object>(asked: Asked) => {
    const answer = last.then(() => query<Row>(asked))
    // After a failure nothing more is sent: the connection may be somebody else's by then.
    last = answer
    answer.catch(() => undefined)
    return answer
  }
}

const txOver = (query: Query): Tx => ({ ...executorOver(query), inTransaction: true })

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

/** Undoes what a transaction did; answers why its connection is of no use any more, where it is not. */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  try {
    await client.query('rollback')
  } catch (failure) {
    return failure instanceof Error ? failure : new Error('rollback failed')
  }
  // A migration changed what a prepared statement answers: this connection cannot send it again.
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
