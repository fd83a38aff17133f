import { json } from '@remix-run/node'
import { z } from 'zod'
import { ALL_USERS_DELETED } from '~/domain/administration/rules'
import { deleteAllUsers } from '~/domain/administration/delete-users.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(z.object({}), async ({ ctx }) => {
  const count = await deleteAllUsers(ctx)
  return json({ message: ALL_USERS_DELETED, count })
})
