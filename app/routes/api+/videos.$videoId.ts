import { deleteVideo } from '~/domain/videos/requests/delete-videos.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'

export const action = userCall(NO_BODY, async ({ ctx, params }) => {
  await deleteVideo(ctx, params.videoId ?? '')
  return { success: true }
})
