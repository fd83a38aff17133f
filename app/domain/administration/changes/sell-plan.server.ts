import type { Tx } from '~/platform/db/port'
import type { ActivityAction } from '../../activity/types'
import type { AdminCtx } from '../../context'
import { PLAN_NUMBERS, planNumbers } from '../../plans/numbers'
import type { Plan } from '../../plans/types'
import { readSoldWith } from '../account-columns.server'
import { pickFields } from '../account-fields'
import type { Sale } from '../outcome'
import type { ManagedUser } from '../types'
import { note, storeChange, writeFacts } from './store-change.server'
import type { BulkKind } from './bulk-schemas'
import { soldFacts } from './edit-paid.server'
import type { Paying } from './paid-change.server'

type Selling = {
  /** The account, locked. */
  user: ManagedUser
  /** What it becomes, which has been seen. */
  sale: Pick<Sale, 'after' | 'days'>
  plan: Plan
  kind: BulkKind
  action: ActivityAction
}

/**
 * Gives an account a plan and an end, in one change that can be undone, with its entry in the activity
 * log. The claim that is confirmed, or the prepaid code that is used, records its payment for `sold`.
 */
export async function sellPlan(
  ctx: AdminCtx,
  tx: Tx,
  { user, sale, plan, kind, action }: Selling,
): Promise<{ changeId: string; sold: Paying }> {
  const { id, username } = user
  const { isActive, expiryDate } = sale.after
  const isEnabled = isActive && !user.isActive
  const before = {
    ...soldFacts(user),
    ...(await readSoldWith(tx, id)),
    ...(isEnabled && { isActive: false }),
  }
  const after = { ...numbersFor(user, plan), expiryDate, ...(isEnabled && { isActive: true }) }
  const lines = [{ id, username, before, after }]
  const changeId = await storeChange(ctx, tx, { kind, lines })
  await writeFacts(ctx, tx, lines)
  await note(ctx, tx, { action, lines })
  return { changeId, sold: { id, username, before, after, days: sale.days } }
}

/**
 * Returns the plan with its numbers. An account that has the plan already keeps its own numbers, unless
 * they are those of a trial.
 */
function numbersFor(user: ManagedUser, plan: Plan) {
  const sold = planNumbers(plan)
  return {
    plan: plan.name,
    ...(user.plan === plan.name && user.videoLimit >= sold.videoLimit
      ? pickFields(user, PLAN_NUMBERS)
      : sold),
  }
}
