import { json } from '@remix-run/node'
import { changePassword } from '~/domain/accounts/change-password.server'
import { changePasswordInput } from '~/domain/accounts/schemas'
import { userCall } from '~/http/endpoints/api.server'
import { sessionCookie } from '~/http/actions/sign-in.server'

export const action = userCall(changePasswordInput, async ({ ctx, body, request }) => {
  const userAgent = request.headers.get('user-agent')
  const token = await changePassword(ctx, { ...body, userAgent })
  return json({ success: true }, { headers: await sessionCookie(token) })
})
