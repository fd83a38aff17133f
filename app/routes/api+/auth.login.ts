import { json } from '@remix-run/node'
import { signInInput } from '~/domain/accounts/schemas'
import { verifyCredentials } from '~/domain/accounts/verify-credentials.server'
import { publicCall } from '~/http/api.server'
import { sessionHeaders } from '~/http/sign-in.server'

export const action = publicCall(signInInput, async ({ ctx, body, request }) => {
  const account = await verifyCredentials(ctx, body)
  const { username, role } = account
  return json({ username, role }, { headers: await sessionHeaders(ctx, account, request) })
})
