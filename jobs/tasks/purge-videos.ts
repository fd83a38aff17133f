import { purgeFiles } from '~/domain/videos/engine/purge.server'
import { task } from '../task'

export const purgeVideos = task('videos.purge', (ctx, { keys }) => purgeFiles(ctx, keys))
