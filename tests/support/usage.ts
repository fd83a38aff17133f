import type { Installation } from './installation'

type Units = { daysAgo: number; charged: number; returned: number }

/** Notes units of earlier days, without the videos that used them. */
export async function addUsage(
  { db }: Installation,
  userId: string,
  days: readonly Units[],
): Promise<void> {
  for (const { daysAgo, charged, returned } of days)
    await db.query(
      `insert into quota_days (user_id, day, charged, returned)
       values ($1, current_date - $2::int, $3, $4)`,
      [userId, daysAgo, charged, returned],
    )
}
