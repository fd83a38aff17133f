import { checkInvariants } from '~/domain/activity/invariants.server'
import { task } from '../task'

export const checkInvariantsTask = task('system.check', async (ctx) => {
  await checkInvariants(ctx)
})
