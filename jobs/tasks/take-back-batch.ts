import { takeBackUnsent } from '~/domain/batches/cancel-regeneration.server'
import { task } from '../task'

export const takeBackBatch = task('batches.take-back', (ctx, batch) => takeBackUnsent(ctx, batch))
