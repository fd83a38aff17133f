import type { Prisma, PrismaClient } from '@prisma/client'
import type { Sql } from 'sql-template-tag'

/**
 * Something that runs one SQL statement: the pool, or one transaction of it. The pool runs a statement
 * again after a deadlock, three times at most.
 */
export type Executor = {
  /** All rows. Column names are those of the statement; timestamps are Dates, bigints numbers. */
  rows<Row extends object>(query: Sql): Promise<Row[]>
  /** The first row, or undefined. */
  row<Row extends object>(query: Sql): Promise<Row | undefined>
  /** How many rows the statement changed. */
  run(query: Sql): Promise<number>
}

/** A transaction: what joins it takes `tx: Tx` first. */
export type Tx = Executor & { readonly inTransaction: true }

/** What Prisma sends as one statement; of `updateMany`, for one, it makes a transaction. */
type Single = 'findFirst' | 'findMany' | 'count' | 'deleteMany'

/** The tables as Prisma Client knows them; the schema gives their columns and types. */
export type Tables = {
  readonly [Table in Uncapitalize<Prisma.ModelName>]: Pick<PrismaClient[Table], Single>
}

export type Db = Executor & {
  /**
   * Runs `work` in one transaction and commits when it resolves. A deadlock or serialisation
   * failure runs it again (three times at most), so `work` does nothing but SQL.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs reads that all see the database as it was at one moment. They may be asked side by side; on
   * their one connection they run one after another.
   */
  snapshot<T>(work: (db: Executor) => Promise<T>): Promise<T>
  /**
   * Runs one plain statement outside every transaction and snapshot, typed by the schema, with the
   * errors of SQL. After a deadlock it runs again, so `ask` does nothing but the one call. Related rows
   * are read by further statements that may see another moment: join them with SQL.
   */
  prisma<T>(ask: (tables: Tables) => Promise<T>): Promise<T>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
