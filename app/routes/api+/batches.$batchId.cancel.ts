import { cancelBatch } from '~/domain/batches/cancel-batch.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'

export const action = userCall(NO_BODY, async ({ ctx, params }) =>
  cancelBatch(ctx, params.batchId ?? ''),
)
