import { dispatchWaiting } from '~/domain/videos/engine/dispatch.server'
import { task } from '../task'

export const dispatchVideos = task('videos.dispatch', (ctx) => dispatchWaiting(ctx))
