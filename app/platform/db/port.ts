import type { Prisma, PrismaClient } from '@prisma/client'
import type { Sql } from 'sql-template-tag'

/**
 * Runs single SQL statements, on the pool or in one transaction. The pool retries a statement after
 * a deadlock, up to three attempts in total.
 */
export type Executor = {
  /**
   * Returns all rows. Column names are the statement's; timestamps are Dates, bigints are numbers.
   */
  rows<Row extends object>(query: Sql): Promise<Row[]>
  /** Returns the first row, or undefined. */
  row<Row extends object>(query: Sql): Promise<Row | undefined>
  /** Returns the row of a statement that always has one, such as a count. Throws if it has none. */
  one<Row extends object>(query: Sql): Promise<Row>
  /** Returns the number of rows that the statement changed. */
  run(query: Sql): Promise<number>
  /**
   * Runs one Prisma call, typed by the schema. The database's errors are those of the driver. In a
   * transaction, its statements belong to the transaction. Elsewhere a call may send one statement
   * and throws at the second, so it must neither read related rows nor contain nested writes.
   */
  prisma<T>(call: (tables: Tables) => Promise<T>): Promise<T>
}

/** A transaction. Functions that run inside one take `tx: Tx` as their first parameter. */
export type Tx = Executor & { readonly inTransaction: true }

/**
 * The Prisma operations that may be used. `findUnique` is excluded, because Prisma combines
 * concurrent ones into one statement, whichever transactions they belong to; `update`, `delete` and
 * `…OrThrow`, because they throw if there is no row.
 */
type Operation =
  | 'findFirst'
  | 'findMany'
  | 'count'
  | 'aggregate'
  | 'create'
  | 'createMany'
  | 'updateMany'
  | 'updateManyAndReturn'
  | 'upsert'
  | 'deleteMany'

/** The tables as Prisma Client exposes them, with columns and types from the schema. */
export type Tables = {
  readonly [Table in Uncapitalize<Prisma.ModelName>]: Pick<PrismaClient[Table], Operation>
}

export type Db = Executor & {
  /**
   * Runs `work` in one transaction and commits when it resolves. After a deadlock, a serialisation
   * failure, or a migration that changed the result of a prepared statement, it runs `work` again
   * (three attempts at most), so `work` must do nothing but talk to the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs reads that all see the same snapshot of the database. `work` may start them concurrently;
   * they share one connection and run one after another. May run `work` again, like `transaction`.
   */
  snapshot<T>(work: (db: Executor) => Promise<T>): Promise<T>
  close(): Promise<void>
}
