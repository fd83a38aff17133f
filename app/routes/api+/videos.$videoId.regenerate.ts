import { json } from '@remix-run/node'
import { z } from 'zod'
import { regenerateVideo } from '~/domain/videos/requests/redo-video.server'
import { userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(z.object({}), async ({ ctx, params, request }) =>
  json(await regenerateVideo(ctx, params.videoId ?? '', readIdempotencyKey(request)), 202),
)
