import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { requireProof } from '../../accounts/proof.server'
import { getPlans } from '../../business/settings.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import type { PaidTerms } from '../../payments/schemas'
import { pricedAs, type Surprise } from '../outcome'
import { foresee, requireSeen, UNTICKED, type Seller } from '../outcome.server'
import type { ManagedUser } from '../types'
import { lockPayers } from '../users/stop-users.server'
import { getManagedUser } from '../users/users-query.server'
import { recordPaid } from './paid-change.server'
import { lateSale, toAct, type SoldAct } from './sold-acts'
import { findUnpaid } from './sold-acts.server'

/** An act without a payment, with what recording one surprises with. */
export type LateSale = SoldAct & { surprises: Surprise[] }

/** Returns what the dialog of a late payment shows, or null: there is none to record. */
export async function foreseeLatePayment(
  ctx: AdminCtx,
  id: string | null,
): Promise<LateSale | null> {
  const act = await findUnpaid(ctx.db, id)
  if (!act) return null
  const [outcome] = await foresee(ctx, ctx.db, [lateSale(act, null)])
  return { ...toAct(act, await getPlans(ctx.db)), surprises: outcome?.surprises ?? [] }
}

/**
 * Records a payment of what a customer got earlier, and returns the customer. The account stays as it
 * is; undoing the change rejects the payment. Throws BAD_INPUT, PASSWORD_NEEDED, and CONFLICT if the
 * change was undone or has a payment, if another payment has the reference and that has not been seen,
 * or something surprises that is not ticked (`requireSeen`).
 */
export async function recordLatePayment(
  ctx: AdminCtx,
  id: string,
  { paid, seller = UNTICKED }: { paid: PaidTerms; seller?: Seller },
): Promise<ManagedUser> {
  requireProof(ctx, 'today')
  const [changeId = ''] = id.split('.')
  return ctx.db.transaction(async (tx) => {
    // Of two administrators, and of this and an undo, the second one waits here.
    if (isId(changeId))
      await tx.run(sql`select 1 from bulk_changes where id = ${changeId} for update`)
    const act = await findUnpaid(tx, id)
    if (!act) throw new AppError('CONFLICT', ALREADY)
    const { userId, username, at } = act
    await lockPayers(tx, sql`id = ${userId}`)
    const sale = lateSale(act, paid)
    const outcomes = await requireSeen(ctx, tx, { sales: [sale], seller })
    const user = { id: userId, username, ...pricedAs(sale) }
    await recordPaid(ctx, tx, { changeId, paid, users: [user], outcomes, at })
    return getManagedUser(ctx, tx, userId)
  })
}

const ALREADY = 'This was undone, or somebody has recorded its payment already.'
