import { resetUserCounters } from '~/domain/administration/reset-user-counters.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx, params }) => ({
  success: true,
  count: await resetUserCounters(ctx, params.userId ?? ''),
}))
