import { json } from '@remix-run/node'
import { regenerateSelected } from '~/domain/batches/regenerate-as-admin.server'
import { videoIdsInput } from '~/domain/videos/admin/all-videos-schemas'
import { adminCall } from '~/http/endpoints/api.server'
import { readIdempotencyKey } from '~/http/forms/idempotency.server'

export const action = adminCall(videoIdsInput, async ({ ctx, body, request }) =>
  json(await regenerateSelected(ctx, body.videoIds, readIdempotencyKey(request)), 202),
)
