import { z } from 'zod'
import { assignTokens } from '~/domain/tokens/assign-tokens.server'
import {
  addPoolToken,
  listPoolTokens,
  removeAllPoolTokens,
  removePoolToken,
} from '~/domain/tokens/pool.server'
import { addTokenInput, assignTokensInput } from '~/domain/tokens/schemas'
import { ALL_OF_THEM, adminCall } from '../api.server'
import { doneAndCounted, poolToken } from './answers'

/** The calls of the extra pool of tokens. */
export const tokensCalls = {
  'GET /api/admin/extra-tokens': adminCall({
    says: 'The tokens in pool order',
    answer: z.array(poolToken),
    run: async ({ ctx }) => listPoolTokens(ctx),
  }),
  'POST /api/admin/extra-tokens': adminCall({
    says: 'Adds a token at the end of the pool; a dead one is revived in its place',
    body: addTokenInput,
    status: 201,
    answer: poolToken,
    errors: { CONFLICT: 'it is in the pool', BAD_INPUT: '', NOT_FOUND: 'no such provider' },
    example: { token: 'provider-token-1', label: 'Token 14', account: 'studio@example.com' },
    run: async ({ ctx, body: { token, ...facts } }) => addPoolToken(ctx, token, facts),
  }),
  'DELETE /api/admin/extra-tokens/:tokenId': adminCall({
    says: 'Removes a token from the pool',
    answer: doneAndCounted,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await removePoolToken(ctx, params.tokenId ?? '')
      return { success: true, count: 1 }
    },
  }),
  'DELETE /api/admin/extra-tokens/delete-all': adminCall({
    says: 'Removes all tokens from the pool',
    body: ALL_OF_THEM,
    answer: doneAndCounted,
    run: async ({ ctx }) => ({ success: true, count: await removeAllPoolTokens(ctx) }),
  }),
  'POST /api/admin/users/assign-tokens': adminCall({
    says: 'Gives the tokens to users and editors in turn',
    body: assignTokensInput,
    answer: z.object({ assigned: z.number(), tokensUsed: z.number(), repeated: z.number() }),
    errors: { BAD_INPUT: 'no token, or no user', NOT_FOUND: 'no such provider' },
    example: { tokens: ['provider-token-1', 'provider-token-2'] },
    run: async ({ ctx, body }) => assignTokens(ctx, body),
  }),
}
