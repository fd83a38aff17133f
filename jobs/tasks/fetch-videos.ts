import { fetchAttempt } from '~/domain/videos/engine/fetch.server'
import { task } from '../task'

export const fetchVideos = task('videos.fetch', (ctx, { attemptId }) =>
  fetchAttempt(ctx, attemptId),
)
