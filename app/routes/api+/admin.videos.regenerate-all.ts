import { json } from '@remix-run/node'
import { z } from 'zod'
import { regenerateAll } from '~/domain/batches/regenerate-as-admin.server'
import { adminCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = adminCall(z.object({}), async ({ ctx, request }) =>
  json(await regenerateAll(ctx, readIdempotencyKey(request)), 202),
)
