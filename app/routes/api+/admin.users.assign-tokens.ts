import { json } from '@remix-run/node'
import { assignTokens } from '~/domain/tokens/assign-tokens.server'
import { assignTokensInput } from '~/domain/tokens/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(assignTokensInput, async ({ ctx, body }) =>
  json(await assignTokens(ctx, body)),
)
