import { signInInput } from '~/domain/accounts/schemas'
import { verifyCredentials } from '~/domain/accounts/verify-credentials.server'
import { publicCall } from '~/http/endpoints/api.server'
import { codeNeeded, signedInAnswer } from '~/http/actions/sign-in.server'

export const action = publicCall(signInInput, async ({ ctx, body, request }) => {
  const { account, step } = await verifyCredentials(ctx, body)
  return account ? signedInAnswer(ctx, account, request) : codeNeeded(step, ctx.requestId)
})
