import { removePoolToken } from '~/domain/tokens/pool.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx, params }) => {
  await removePoolToken(ctx, params.tokenId ?? '')
  return { success: true, count: 1 }
})
