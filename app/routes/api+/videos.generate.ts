import { json } from '@remix-run/node'
import { generateVideo } from '~/domain/videos/generate-video.server'
import { generateVideoInput } from '~/domain/videos/schemas'
import { userCall } from '~/http/api.server'
import { readIdempotencyKey } from '~/http/idempotency.server'

export const action = userCall(generateVideoInput, async ({ ctx, body, request }) => {
  const { id } = await generateVideo(ctx, body, readIdempotencyKey(request))
  return json({ id }, 201)
})
