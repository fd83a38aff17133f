import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'

/**
 * Returns the time by the database's clock, which every process shares. It is cut to milliseconds,
 * whereas columns round. Prisma's calls need it; SQL compares with `engine_now()` itself.
 */
export async function databaseNow(db: Executor): Promise<Date> {
  const { now } = await db.one<{ now: Date }>(sql`select engine_now() as now`)
  return now
}
