import { json } from '@remix-run/node'
import { z } from 'zod'
import { removeAllPoolTokens } from '~/domain/tokens/pool.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(z.object({}), async ({ ctx }) =>
  json({ success: true, count: await removeAllPoolTokens(ctx) }),
)
