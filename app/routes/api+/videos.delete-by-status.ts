import { json } from '@remix-run/node'
import { z } from 'zod'
import { deleteOwnByStatus } from '~/domain/videos/requests/delete-videos.server'
import { deleteByStatusQuery } from '~/domain/videos/schemas'
import { parseQuery, userCall } from '~/http/endpoints/api.server'
import { plural } from '~/lib/text'

export const action = userCall(z.object({}), async ({ ctx, request }) => {
  const count = await deleteOwnByStatus(ctx, parseQuery(deleteByStatusQuery, request))
  return json({ message: `${plural(count, 'video')} deleted.`, count })
})
