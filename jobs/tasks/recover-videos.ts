import { recoverAttempt } from '~/domain/videos/engine/recover.server'
import { task } from '../task'

export const recoverVideos = task('videos.recover', (ctx, { attemptId }) =>
  recoverAttempt(ctx, attemptId),
)
