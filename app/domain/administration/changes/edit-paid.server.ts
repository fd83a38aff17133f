import type { AdminCtx } from '../../context'
import type { PaidTerms } from '../../payments/schemas'
import { storeChange } from './bulk-change.server'
import { editUser, type UserEdit } from '../users/edit-user.server'
import { recordPaid } from './paid-change.server'
import type { ManagedUser } from '../types'

/**
 * Edits an account and records a payment for it. The plan, its numbers and the end are kept as a
 * change, with which they can be undone together with the payment. Throws like `editUser`, and CONFLICT
 * if the payment's reference is used.
 */
export const editPaidUser = (
  ctx: AdminCtx,
  edit: UserEdit,
  paid: PaidTerms,
): Promise<ManagedUser> =>
  editUser(ctx, edit, async (tx, { before, after }) => {
    const { id, username } = after
    const line = { id, before: soldFacts(before), after: soldFacts(after) }
    const changeId = await storeChange(ctx, tx, { kind: 'edit', lines: [line] })
    await recordPaid(ctx, tx, { changeId, paid, users: [{ id, username, before, after }] })
  })

/** What a payment is for. */
export const soldFacts = ({
  plan,
  videoLimit,
  speedLimit,
  videoGenerationSpeed,
  expiryDate,
}: Pick<
  ManagedUser,
  'plan' | 'videoLimit' | 'speedLimit' | 'videoGenerationSpeed' | 'expiryDate'
>) => ({ plan, videoLimit, speedLimit, videoGenerationSpeed, expiryDate })
