import { json } from '@remix-run/node'
import { z } from 'zod'
import { retryAllFailed } from '~/domain/batches/retry-all-failed.server'
import { userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(z.object({}), async ({ ctx, request }) =>
  json(await retryAllFailed(ctx, readIdempotencyKey(request)), 202),
)
