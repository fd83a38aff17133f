import { continueMassChange } from '~/domain/videos/mass-change.server'
import { task } from '../task'

export const changeManyVideos = task('videos.change-many', (ctx, turn) =>
  continueMassChange(ctx, turn),
)
