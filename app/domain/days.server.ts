import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'

/** Builds the current date in the platform's time zone. */
export const today = (timeZone: string): Sql => sql`(engine_now() at time zone ${timeZone})::date`

/**
 * Returns the current date in the platform's time zone as Prisma has dates: midnight UTC. SQL
 * compares with `today` itself.
 */
export async function databaseToday(db: Executor, timeZone: string): Promise<Date> {
  const { day } = await db.one<{ day: string }>(sql`select ${today(timeZone)} as day`)
  return new Date(day)
}

/** Builds the first date of the current month in the platform's time zone. */
export const thisMonth = (timeZone: string): Sql =>
  sql`date_trunc('month', engine_now() at time zone ${timeZone})::date`

/** Builds the instant at which a day (a date, in SQL) ends in the platform's time zone. */
export const endOfDay = (day: Sql, timeZone: string): Sql =>
  sql`((${day} + 1)::timestamp at time zone ${timeZone})`

/** Builds the seconds until midnight in the platform's time zone, rounded up. */
export const secondsToMidnight = (timeZone: string): Sql => sql`
  ceil(extract(epoch from ${endOfDay(today(timeZone), timeZone)} - engine_now()))::int`
