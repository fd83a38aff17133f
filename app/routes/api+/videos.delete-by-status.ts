import { deleteOwnByStatus } from '~/domain/videos/requests/delete-videos.server'
import { deleteByStatusQuery } from '~/domain/videos/schemas'
import { NO_BODY, parseQuery, userCall } from '~/http/endpoints/api.server'
import { plural } from '~/lib/figures'

export const action = userCall(NO_BODY, async ({ ctx, request }) => {
  const count = await deleteOwnByStatus(ctx, parseQuery(deleteByStatusQuery, request))
  return { message: `${plural(count, 'video')} deleted.`, count }
})
