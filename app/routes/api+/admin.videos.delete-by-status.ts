import { json } from '@remix-run/node'
import { z } from 'zod'
import { changeMany } from '~/domain/videos/admin/mass-change.server'
import { allVideosDeleteQuery } from '~/domain/videos/admin/all-videos-schemas'
import { adminCall, parseQuery } from '~/http/endpoints/api.server'

export const action = adminCall(z.object({}), async ({ ctx, request }) => {
  const { status } = parseQuery(allVideosDeleteQuery, request)
  return json(await changeMany(ctx, { kind: 'delete', status, search: '' }))
})
