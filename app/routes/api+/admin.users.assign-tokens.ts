import { assignTokens } from '~/domain/tokens/assign-tokens.server'
import { assignTokensInput } from '~/domain/tokens/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(assignTokensInput, async ({ ctx, body }) => assignTokens(ctx, body))
