import { json } from '@remix-run/node'
import { getOnlineStats } from '~/domain/activity/online.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const loader = adminCall(NO_BODY, async ({ ctx }) =>
  json(await getOnlineStats(ctx.db), { headers: { 'Cache-Control': 'no-store' } }),
)
