import { getOnlineStats } from '~/domain/administration/online.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const loader = adminCall(NO_BODY, async ({ ctx }) => getOnlineStats(ctx.db))
