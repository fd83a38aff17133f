import { json } from '@remix-run/node'
import { z } from 'zod'
import { addPoolToken, listPoolTokens } from '~/domain/tokens/pool.server'
import { addTokenInput } from '~/domain/tokens/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const loader = adminCall(z.object({}), async ({ ctx }) => json(await listPoolTokens(ctx)))

export const action = adminCall(addTokenInput, async ({ ctx, body }) =>
  json(await addPoolToken(ctx, body.token), 201),
)
