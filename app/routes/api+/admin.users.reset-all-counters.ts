import { json } from '@remix-run/node'
import { z } from 'zod'
import { resetAllCounters } from '~/domain/administration/reset-user-counters.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(z.object({}), async ({ ctx }) =>
  json({ success: true, count: await resetAllCounters(ctx) }),
)
