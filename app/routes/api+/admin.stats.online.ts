import { json } from '@remix-run/node'
import { z } from 'zod'
import { getOnlineStats } from '~/domain/activity/online.server'
import { adminCall } from '~/http/endpoints/api.server'

export const loader = adminCall(z.object({}), async ({ ctx }) =>
  json(await getOnlineStats(ctx.db), { headers: { 'Cache-Control': 'no-store' } }),
)
