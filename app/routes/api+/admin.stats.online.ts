import { getOnlineStats } from '~/domain/activity/online.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const loader = adminCall(NO_BODY, async ({ ctx }) => getOnlineStats(ctx.db))
