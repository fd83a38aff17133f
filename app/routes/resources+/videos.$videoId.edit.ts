import { json } from '@remix-run/node'
import { editVideo } from '~/domain/videos/redo-video.server'
import { editVideoInput } from '~/domain/videos/schemas'
import { userCall } from '~/http/api.server'

export const action = userCall(editVideoInput, async ({ ctx, body, params }) =>
  json(await editVideo(ctx, { id: params.videoId ?? '', prompt: body.prompt }), 201),
)
