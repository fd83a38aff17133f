import { json } from '@remix-run/node'
import { z } from 'zod'
import { retryVideo } from '~/domain/videos/redo-video.server'
import { userCall } from '~/http/api.server'
import { readIdempotencyKey } from '~/http/idempotency.server'

export const action = userCall(z.object({}), async ({ ctx, params, request }) =>
  json(await retryVideo(ctx, params.videoId ?? '', readIdempotencyKey(request)), 202),
)
