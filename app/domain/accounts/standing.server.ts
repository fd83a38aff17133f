import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { parsed } from '../business/settings.server'
import type { UserCtx } from '../context'
import { AppError, type ErrorCode } from '../errors'
import { accountColumns } from './columns.server'
import { standing, type Standing } from './rules'
import { trialNetwork } from './trial.server'
import type { Account } from './types'

/** Returns the error for a disabled account. */
export const accountDisabled = () =>
  new AppError('ACCOUNT_DISABLED', 'This account is disabled. Contact us to open it again.')

const REFUSALS = {
  expired: ['ACCOUNT_EXPIRED', 'Your plan has expired. Renew it to generate more videos.'],
  'no-plan': ['NO_ACTIVE_PLAN', 'No active plan. Choose one on the pricing page.'],
} as const satisfies Record<Exclude<Standing, 'ok' | 'disabled'>, readonly [ErrorCode, string]>

/** An order for an account with a `trialNetwork` must also call `takeTrialUnits`. */
export type AccountInOrder = Account & { trialNetwork: string | null }

/**
 * Returns an account that may order now, locked like that of `requireGoodStanding`, or null. Work that
 * was accepted earlier goes on while the operator has paused new orders.
 */
export async function findInGoodStanding(tx: Tx, userId: string): Promise<AccountInOrder | null> {
  const row = await tx.row<AccountInOrder & { now: Date }>(sql`
    select ${accountColumns}, ${trialNetwork} as "trialNetwork", engine_now() as now
    from users where id = ${userId} and deleted_at is null for key share`)
  if (!row) return null
  const { now, ...account } = row
  return standing(account, now) === 'ok' ? account : null
}

/**
 * Returns the actor's current account, locked against being disabled or deleted until the
 * transaction ends. Throws NOT_SIGNED_IN, ACCOUNT_DISABLED, ACCOUNT_EXPIRED, NO_ACTIVE_PLAN, or
 * ORDERS_PAUSED while the operator has paused new orders.
 */
export async function requireGoodStanding(ctx: UserCtx, tx: Tx): Promise<AccountInOrder> {
  const row = await tx.row<AccountInOrder & { now: Date; pause: unknown }>(sql`
    select ${accountColumns}, ${trialNetwork} as "trialNetwork", engine_now() as now,
      (select value from business_settings where name = 'pause') as pause
    from users where id = ${ctx.actor.id} and deleted_at is null for key share`)
  if (!row) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
  const { now, pause, ...account } = row
  const found = standing(account, now)
  if (found === 'ok') {
    const paused = account.role === 'admin' ? null : parsed('pause', pause)
    if (paused) throw new AppError('ORDERS_PAUSED', paused.text)
    return account
  }
  if (found === 'disabled') throw accountDisabled()
  const [code, message] = REFUSALS[found]
  throw new AppError(code, message)
}
