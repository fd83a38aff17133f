import { json } from '@remix-run/node'
import { editVideo } from '~/domain/videos/requests/redo-video.server'
import { editVideoInput } from '~/domain/videos/schemas'
import { programCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

const edit = programCall(editVideoInput, async ({ ctx, body, params, request }) => {
  const order = { id: params.videoId ?? '', prompt: body.prompt, key: readIdempotencyKey(request) }
  return json(await editVideo(ctx, order), 201)
})

export const action = edit.respond
