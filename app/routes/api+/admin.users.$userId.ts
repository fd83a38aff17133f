import type { ActionFunctionArgs } from '@remix-run/node'
import { deleteUser } from '~/domain/administration/delete-users.server'
import { editUser } from '~/domain/administration/edit-user.server'
import { editUserInput } from '~/domain/administration/schemas'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

const edit = adminCall(editUserInput, async ({ ctx, body, params }) => ({
  user: await editUser(ctx, { ...body, id: params.userId ?? '' }),
}))

const remove = adminCall(NO_BODY, async ({ ctx, params }) => {
  await deleteUser(ctx, params.userId ?? '')
  return { success: true }
})

/** PATCH and PUT share one implementation, because two would diverge (decision Q-2). */
export const action = (args: ActionFunctionArgs) =>
  args.request.method === 'DELETE' ? remove(args) : edit(args)
