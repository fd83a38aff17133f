import { wakeHeld } from '~/domain/videos/engine/dispatch.server'
import { task } from '../task'

export const wakeVideos = task('videos.wake', (ctx, { reason }) => wakeHeld(ctx, reason))
