import type { AdminCtx } from '../../context'
import type { PaidTerms } from '../../payments/schemas'
import { storeChange } from './store-change.server'
import { editUser, type UserEdit } from '../users/edit-user.server'
import { getManagedUser } from '../users/users-query.server'
import { surprisesOfAll } from '../outcome'
import { requireSeen, UNTICKED, type Seller } from '../outcome.server'
import { recordPaid } from './paid-change.server'
import { pickFields } from '../account-fields'
import { PLAN_FIELDS } from '../rules'
import type { EditedUser, ManagedUser } from '../types'

/**
 * Edits an account and records a payment for it; null: none. If there is one, or a customer gets another
 * plan or end, the plan, its numbers and the end are kept as a change, with which they can be undone
 * together with the payment. Throws like `editUser`, and CONFLICT if the payment's reference is used, or
 * a new plan or end, or the payment, surprises and is not ticked (`requireSeen`). What was ticked is
 * returned in `notes`.
 */
export async function editPaidUser(
  ctx: AdminCtx,
  { seller = UNTICKED, ...edit }: UserEdit & { seller?: Seller },
  paid: PaidTerms | null,
): Promise<EditedUser> {
  let notes: string[] = []
  const user = await editUser(ctx, edit, async (tx, { before, after, hadWith }) => {
    const { id, username } = after
    const isSold = before.plan !== after.plan || before.expiryDate !== after.expiryDate
    if (!paid && !isSold) return
    const sale = { username, before, after, trashed: null, days: null, paid }
    const outcomes = await requireSeen(ctx, tx, { sales: [sale], seller })
    notes = surprisesOfAll(outcomes).map(({ text }) => text)
    if (!paid && after.role !== 'user') return
    const line = { id, before: { ...soldFacts(before), ...hadWith }, after: soldFacts(after) }
    const changeId = await storeChange(ctx, tx, { kind: 'edit', lines: [line] })
    if (paid)
      await recordPaid(ctx, tx, {
        changeId,
        paid,
        users: [{ id, username, before, after }],
        outcomes,
      })
  })
  // Its first payment may have brought more than the edit.
  const now = paid ? await getManagedUser(ctx, ctx.db, user.id) : user
  return { user: now, ...(notes.length > 0 && { notes }) }
}

/** What a payment is for. */
export const soldFacts = (user: ManagedUser) => pickFields(user, [...PLAN_FIELDS, 'expiryDate'])
