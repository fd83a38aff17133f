import { json } from '@remix-run/node'
import { startBatchInput } from '~/domain/batches/schemas'
import { startBatch } from '~/domain/batches/start-batch.server'
import { userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(startBatchInput, async ({ ctx, body, request }) =>
  json(await startBatch(ctx, body, readIdempotencyKey(request)), 201),
)
