import { ALL_USERS_DELETED } from '~/domain/administration/rules'
import { deleteAllUsers } from '~/domain/administration/delete-users.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx }) => {
  const count = await deleteAllUsers(ctx)
  return { message: ALL_USERS_DELETED, count }
})
