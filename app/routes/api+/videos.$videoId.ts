import { json } from '@remix-run/node'
import { z } from 'zod'
import { deleteVideo } from '~/domain/videos/delete-videos.server'
import { userCall } from '~/http/api.server'

export const action = userCall(z.object({}), async ({ ctx, params }) => {
  await deleteVideo(ctx, params.videoId ?? '')
  return json({ success: true })
})
