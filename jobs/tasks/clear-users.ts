import { clearTrashed } from '~/domain/administration/clear-trashed.server'
import { task } from '../task'

export const clearUsers = task('users.clear', async (ctx) => {
  await clearTrashed(ctx)
})
