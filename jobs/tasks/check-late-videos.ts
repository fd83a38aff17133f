import { checkLate } from '~/domain/videos/engine/check-late.server'
import { task } from '../task'

export const checkLateVideos = task('videos.check-late', (ctx, { attemptId }) =>
  checkLate(ctx, attemptId),
)
