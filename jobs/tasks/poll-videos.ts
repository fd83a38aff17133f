import { pollAttempt } from '~/domain/videos/engine/poll.server'
import { task } from '../task'

export const pollVideos = task('videos.poll', (ctx, { attemptId }) => pollAttempt(ctx, attemptId))
