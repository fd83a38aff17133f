import { json } from '@remix-run/node'
import { z } from 'zod'
import { retryVideo } from '~/domain/videos/requests/redo-video.server'
import { userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(z.object({}), async ({ ctx, params, request }) =>
  json(await retryVideo(ctx, params.videoId ?? '', readIdempotencyKey(request)), 202),
)
