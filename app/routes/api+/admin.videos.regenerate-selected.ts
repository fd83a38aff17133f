import { json } from '@remix-run/node'
import { regenerateSelected } from '~/domain/batches/regenerate-as-admin.server'
import { videoIdsInput } from '~/domain/videos/all-videos-schemas'
import { adminCall } from '~/http/api.server'
import { readIdempotencyKey } from '~/http/idempotency.server'

export const action = adminCall(videoIdsInput, async ({ ctx, body, request }) =>
  json(await regenerateSelected(ctx, body.videoIds, readIdempotencyKey(request)), 202),
)
