import sql from 'sql-template-tag'
import type { Ctx } from '../context'
import { AppError } from '../errors'
import { getQuota } from './queries.server'
import type { QuotaView } from './types'
import { accountColumns } from '../accounts/columns.server'
import { daysLeft } from '../accounts/rules'
import { isOnTrial } from '../accounts/trial.server'
import type { Account, UserView } from '../accounts/types'

type Row = Account & {
  phone: string | null
  email: string | null
  createdAt: Date
  now: Date
  isOnTrial: boolean
}

/** Returns an account as its owner and administrators see it. Throws NOT_FOUND. */
export async function getUserView(ctx: Ctx, id: string): Promise<UserView> {
  return (await getUserWithQuota(ctx, id)).user
}

/** Returns the view of an account together with its quota, and whether it is on its trial. Throws NOT_FOUND. */
export async function getUserWithQuota(
  { db, settings }: Ctx,
  id: string,
): Promise<{ user: UserView; quota: QuotaView; isOnTrial: boolean }> {
  const row = await db.row<Row>(sql`
    select ${accountColumns}, phone, email, created_at as "createdAt", engine_now() as now,
      ${isOnTrial} as "isOnTrial"
    from users where id = ${id} and deleted_at is null`)
  if (!row) throw new AppError('NOT_FOUND', 'This account does not exist')
  // Who makes the videos is the operator’s business.
  const {
    now,
    expiryDate,
    createdAt,
    apiAllowed: _,
    route: _route,
    clipUnits: _units,
    isOnTrial: onTrial,
    ...account
  } = row
  const { timeZone } = settings
  const quota = await getQuota(db, { userId: id, limit: row.videoLimit, timeZone })
  const user: UserView = {
    ...account,
    expiryDate: expiryDate?.toISOString() ?? null,
    daysLeft: daysLeft(expiryDate, now),
    videosGeneratedToday: quota.used,
    videosGeneratedThisMonth: quota.usedThisMonth,
    createdAt: createdAt.toISOString(),
  }
  return { user, quota, isOnTrial: onTrial }
}
