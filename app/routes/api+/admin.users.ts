import { json } from '@remix-run/node'
import { createUser } from '~/domain/administration/create-user.server'
import { userListQuery } from '~/domain/administration/list-schemas'
import { createUserInput } from '~/domain/administration/schemas'
import { listUsersJson } from '~/domain/administration/users-query.server'
import { adminCall, NO_BODY, parseQuery } from '~/http/endpoints/api.server'

export const loader = adminCall(NO_BODY, async ({ ctx, request }) => {
  const { json: text, totalCount } = await listUsersJson(ctx, parseQuery(userListQuery, request))
  return new Response(text, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Total-Count': String(totalCount),
    },
  })
})

export const action = adminCall(createUserInput, async ({ ctx, body }) =>
  json(await createUser(ctx, body), 201),
)
