import { removeAllPoolTokens } from '~/domain/tokens/pool.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx }) => ({
  success: true,
  count: await removeAllPoolTokens(ctx),
}))
