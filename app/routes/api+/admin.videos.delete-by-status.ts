import { changeMany } from '~/domain/videos/admin/mass-change.server'
import { allVideosDeleteQuery, EVERY_VIDEO } from '~/domain/videos/admin/all-videos-schemas'
import { adminCall, NO_BODY, parseQuery } from '~/http/endpoints/api.server'

export const action = adminCall(NO_BODY, async ({ ctx, request }) => {
  const { status } = parseQuery(allVideosDeleteQuery, request)
  return changeMany(ctx, { kind: 'delete', filter: { ...EVERY_VIDEO, status } })
})
