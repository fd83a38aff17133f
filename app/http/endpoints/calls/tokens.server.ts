import { json } from '@remix-run/node'
import { assignTokens } from '~/domain/tokens/assign-tokens.server'
import {
  addPoolToken,
  listPoolTokens,
  removeAllPoolTokens,
  removePoolToken,
} from '~/domain/tokens/pool.server'
import { addTokenInput, assignTokensInput } from '~/domain/tokens/schemas'
import { ALL_OF_THEM, NO_BODY, adminCall } from '../api.server'

/** The calls of the extra pool of tokens. */
export const tokensCalls = {
  'DELETE /api/admin/extra-tokens/:tokenId': adminCall(NO_BODY, async ({ ctx, params }) => {
    await removePoolToken(ctx, params.tokenId ?? '')
    return { success: true, count: 1 }
  }),
  'DELETE /api/admin/extra-tokens/delete-all': adminCall(ALL_OF_THEM, async ({ ctx }) => ({
    success: true,
    count: await removeAllPoolTokens(ctx),
  })),
  'GET /api/admin/extra-tokens': adminCall(NO_BODY, async ({ ctx }) => listPoolTokens(ctx)),
  'POST /api/admin/extra-tokens': adminCall(
    addTokenInput,
    async ({ ctx, body: { token, ...facts } }) => json(await addPoolToken(ctx, token, facts), 201),
  ),
  'POST /api/admin/users/assign-tokens': adminCall(assignTokensInput, async ({ ctx, body }) =>
    assignTokens(ctx, body),
  ),
}
