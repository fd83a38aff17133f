import { purgeTrash } from '~/domain/videos/trash.server'
import { task } from '../task'

export const purgeTrashTask = task('videos.purge-trash', async (ctx) => {
  const count = await purgeTrash(ctx)
  if (count > 0) ctx.log.info({ count }, 'emptied old trash')
})
