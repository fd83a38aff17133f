import { resetAllCounters } from '~/domain/administration/reset-user-counters.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx }) => ({
  success: true,
  count: await resetAllCounters(ctx),
}))
