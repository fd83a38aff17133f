import type { ActionFunctionArgs } from '@remix-run/node'
import { json } from '@remix-run/node'
import { z } from 'zod'
import { deleteUser } from '~/domain/administration/delete-users.server'
import { editUser } from '~/domain/administration/edit-user.server'
import { editUserInput } from '~/domain/administration/schemas'
import { adminCall } from '~/http/endpoints/api.server'

const edit = adminCall(editUserInput, async ({ ctx, body, params }) =>
  json({ user: await editUser(ctx, { ...body, id: params.userId ?? '' }) }),
)

const remove = adminCall(z.object({}), async ({ ctx, params }) => {
  await deleteUser(ctx, params.userId ?? '')
  return json({ success: true })
})

/** PATCH and PUT share one implementation, because two would diverge (decision Q-2). */
export const action = (args: ActionFunctionArgs) =>
  args.request.method === 'DELETE' ? remove(args) : edit(args)
