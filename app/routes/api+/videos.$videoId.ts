import { json } from '@remix-run/node'
import { z } from 'zod'
import { deleteVideo } from '~/domain/videos/requests/delete-videos.server'
import { userCall } from '~/http/endpoints/api.server'

export const action = userCall(z.object({}), async ({ ctx, params }) => {
  await deleteVideo(ctx, params.videoId ?? '')
  return json({ success: true })
})
