import { fireDueRound } from '~/domain/batches/fire-round.server'
import { task } from '../task'

export const runBatchRound = task('batches.round', (ctx, turn) => fireDueRound(ctx, turn))
