import { json } from '@remix-run/node'
import { retryAllFailed } from '~/domain/batches/retry-all-failed.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(NO_BODY, async ({ ctx, request }) =>
  json(await retryAllFailed(ctx, readIdempotencyKey(request)), 202),
)
