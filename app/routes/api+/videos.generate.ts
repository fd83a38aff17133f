import { json } from '@remix-run/node'
import { generateVideo } from '~/domain/videos/requests/generate-video.server'
import { generateVideoInput } from '~/domain/videos/schemas'
import { userCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = userCall(generateVideoInput, async ({ ctx, body, request }) => {
  const { id } = await generateVideo(ctx, body, readIdempotencyKey(request))
  return json({ id }, 201)
})
