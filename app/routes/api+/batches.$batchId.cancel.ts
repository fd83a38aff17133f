import { json } from '@remix-run/node'
import { z } from 'zod'
import { cancelBatch } from '~/domain/batches/cancel-batch.server'
import { userCall } from '~/http/endpoints/api.server'

export const action = userCall(z.object({}), async ({ ctx, params }) =>
  json(await cancelBatch(ctx, params.batchId ?? '')),
)
