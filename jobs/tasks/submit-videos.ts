import { submitAttempt } from '~/domain/videos/engine/submit.server'
import { task } from '../task'

export const submitVideos = task('videos.submit', (ctx, { attemptId }) =>
  submitAttempt(ctx, attemptId),
)
