import { json } from '@remix-run/node'
import { regenerateAll } from '~/domain/batches/regenerate-as-admin.server'
import { adminCall, NO_BODY } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = adminCall(NO_BODY, async ({ ctx, request }) =>
  json(await regenerateAll(ctx, { key: readIdempotencyKey(request) }), 202),
)
