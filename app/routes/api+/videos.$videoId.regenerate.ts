import { json } from '@remix-run/node'
import { regenerateVideo } from '~/domain/videos/requests/redo-video.server'
import { NO_BODY, userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(NO_BODY, async ({ ctx, params, request }) =>
  json(await regenerateVideo(ctx, params.videoId ?? '', readIdempotencyKey(request)), 202),
)
