import { TICKS } from '~/domain/administration/ticks'
import { z } from 'zod'
import { applyBulkChange } from '~/domain/administration/changes/bulk-change.server'
import { nowText, usersOfChange } from '~/domain/administration/changes/changed-users.server'
import { bulkActionText } from '~/domain/administration/changes/bulk-rules'
import { bulkAction, type BulkKind } from '~/domain/administration/changes/bulk-schemas'
import { userTableQuery } from '~/domain/administration/users/list-schemas'
import { userTableAddress } from '~/domain/administration/users/user-list'
import { readUserSelection } from '~/domain/administration/users/user-selection'
import type { AdminCtx } from '~/domain/context'
import { paidFields, paidOf } from '~/domain/payments/schemas'
import { form } from '~/http/forms/forms.server'
import { readFormKey } from '~/http/forms/idempotency.server'
import { refuseOtherNumber } from '~/http/forms/typed-number.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { digitsOf } from '~/lib/digits'
import { paths } from '~/lib/paths'

/**
 * Reads the target users and the action from the URL. The filter's plan does not replace the
 * action's plan.
 */
export function readOrder({ url }: Request) {
  const { searchParams } = new URL(url)
  const given = Object.fromEntries(searchParams)
  const action = bulkAction.safeParse(given)
  const query = userTableQuery.parse({ ...given, page: searchParams.get('at') ?? '1' })
  const { page: _page, sort: _sort, ...filters } = query
  const selection = readUserSelection(searchParams)
  return { action, target: { ...selection, filters }, query, selection }
}

const orderForm = paidFields.extend({
  ...TICKS,
  expected: z.number().int().min(0),
  typed: z.string().default('').transform(digitsOf),
})

/** Ends the sessions and the unsent work of many, which undo does not bring back. */
export const asksNumber = (kind: BulkKind, count: number) => kind === 'disable' && count > 1

/** Returns the form that applies a change: `request` names it in its address. */
export function changeForms(ctx: AdminCtx, request: Request) {
  return {
    apply: form('Failed to update users', orderForm, async (input, data) => {
      const { expected, typed } = input
      const { action, target, query } = readOrder(request)
      const order = { action: bulkAction.parse(action.data), target, paid: paidOf(input) }
      if (asksNumber(order.action.kind, expected))
        refuseOtherNumber({ typed, expected }, 'Nobody was changed.')
      const { changeId } = await applyBulkChange(ctx, order, {
        expected,
        key: readFormKey(data),
        seller: { ticks: input },
      })
      const ids = await usersOfChange(ctx, changeId)
      return redirectWithToast(paths.admin.change(changeId) + userTableAddress(query), {
        kind: 'success',
        title: 'Users updated',
        description: `${bulkActionText(order.action)}: ${await nowText(ctx, ids)}`,
      })
    }),
  }
}
