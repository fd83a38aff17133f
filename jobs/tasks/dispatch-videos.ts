import { dispatchWaiting } from '~/domain/videos/engine/dispatch.server'
import { oneAtATime, task } from '../task'

export const dispatchVideos = oneAtATime(task('videos.dispatch', (ctx) => dispatchWaiting(ctx)))
