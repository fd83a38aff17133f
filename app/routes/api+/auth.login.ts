import { json } from '@remix-run/node'
import { signInInput } from '~/domain/accounts/schemas'
import { verifyCredentials } from '~/domain/accounts/verify-credentials.server'
import { publicCall } from '~/http/endpoints/api.server'
import { codeNeeded, signedInAnswer } from '~/http/actions/sign-in.server'

export const action = publicCall(signInInput, async ({ ctx, body, request }) => {
  const { account, step } = await verifyCredentials(ctx, body)
  if (account) return signedInAnswer(ctx, account, request)
  const { status, ...failure } = codeNeeded(step, ctx.requestId)
  return json(failure, { status })
})
