import { codeInput } from '~/domain/accounts/schemas'
import { finishSignIn } from '~/domain/accounts/sign-in-step.server'
import { publicCall } from '~/http/endpoints/api.server'
import { signedInAnswer } from '~/http/actions/sign-in.server'

export const action = publicCall(codeInput, async ({ ctx, body, request }) =>
  signedInAnswer(ctx, await finishSignIn(ctx, body), request),
)
