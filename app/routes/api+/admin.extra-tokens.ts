import { json } from '@remix-run/node'
import { addPoolToken, listPoolTokens } from '~/domain/tokens/pool.server'
import { addTokenInput } from '~/domain/tokens/schemas'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const loader = adminCall(NO_BODY, async ({ ctx }) => listPoolTokens(ctx))

export const action = adminCall(addTokenInput, async ({ ctx, body: { token, ...facts } }) =>
  json(await addPoolToken(ctx, token, facts), 201),
)
