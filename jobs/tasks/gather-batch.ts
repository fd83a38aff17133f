import { gatherVideos } from '~/domain/batches/regenerate-as-admin.server'
import { task } from '../task'

export const gatherBatch = task('batches.gather', (ctx, turn) => gatherVideos(ctx, turn))
