import { json } from '@remix-run/node'
import { quickCreateUser } from '~/domain/administration/create-user.server'
import { quickCreateInput } from '~/domain/administration/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(quickCreateInput, async ({ ctx, body }) =>
  json(await quickCreateUser(ctx, body), 201),
)
