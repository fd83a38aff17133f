import { json } from '@remix-run/node'
import { changePassword } from '~/domain/accounts/change-password.server'
import { changePasswordInput } from '~/domain/accounts/schemas'
import { userCall } from '~/http/api.server'

export const action = userCall(changePasswordInput, async ({ ctx, body, context }) => {
  await changePassword(ctx, { ...body, keepToken: context.visitor?.token ?? '' })
  return json({ success: true })
})
