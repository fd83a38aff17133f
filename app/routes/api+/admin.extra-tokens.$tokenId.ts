import { json } from '@remix-run/node'
import { z } from 'zod'
import { removePoolToken } from '~/domain/tokens/pool.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(z.object({}), async ({ ctx, params }) => {
  await removePoolToken(ctx, params.tokenId ?? '')
  return json({ success: true, count: 1 })
})
