import { json } from '@remix-run/node'
import { getUserView } from '~/domain/quota/user-view.server'
import { register } from '~/domain/accounts/register.server'
import { registerInput } from '~/domain/accounts/schemas'
import { publicCall } from '~/http/endpoints/api.server'
import { sessionHeaders } from '~/http/actions/sign-in.server'

export const action = publicCall(registerInput, async ({ ctx, body, request }) => {
  const account = await register(ctx, body)
  const user = await getUserView(ctx, account.id)
  return json(
    { success: true, user },
    { status: 201, headers: await sessionHeaders(ctx, account, request) },
  )
})
