import { json } from '@remix-run/node'
import { cancelBatch } from '~/domain/batches/cancel-batch.server'
import { regenerateAll, regenerateSelected } from '~/domain/batches/regenerate-as-admin.server'
import { getBatchSummary } from '~/domain/batches/batch-list.server'
import { renameBatch } from '~/domain/batches/rename-batch.server'
import { retryAllFailed, retryBatch, retrySelected } from '~/domain/batches/retry-failed.server'
import { renameBatchInput, startBatchInput } from '~/domain/batches/schemas'
import { startBatchFromCall } from '~/domain/batches/start-batch-call.server'
import { pauseBatch, resumeBatch } from '~/domain/batches/steer-batch.server'
import { moveUpInLine } from '~/domain/batches/steer-line.server'
import {
  EVERY_VIDEO,
  allVideosDeleteQuery,
  videoIdsInput,
} from '~/domain/videos/admin/all-videos-schemas'
import { readCursor, writeCursor } from '~/domain/videos/cursor'
import { changeMany } from '~/domain/videos/admin/mass-change.server'
import { listDownloads } from '~/domain/videos/gallery/download-options.server'
import {
  deleteOwnByStatus,
  deleteVideo,
  keptText,
} from '~/domain/videos/requests/delete-videos.server'
import { listOwnTrash, removeOwn, restoreOwn } from '~/domain/videos/requests/own-trash.server'
import { generateFromCall, generateVideoCall } from '~/domain/videos/requests/picture-video.server'
import { regenerateVideo, retryVideo } from '~/domain/videos/requests/redo-video.server'
import { starVideo } from '~/domain/videos/requests/star-videos.server'
import { deleteByStatusQuery } from '~/domain/videos/schemas'
import { ALL_OF_THEM, NO_BODY, adminCall, parseQuery, programCall, userCall } from '../api.server'
import { readIdempotencyKey } from '../../forms/idempotency.server'
import { plural } from '~/lib/figures'

/** The calls of videos and batches. Polled calls and downloads are not here: they are answered before Remix. */
export const videosCalls = {
  'DELETE /api/admin/videos/delete-by-status': adminCall(ALL_OF_THEM, async ({ ctx, request }) => {
    const { status } = parseQuery(allVideosDeleteQuery, request)
    return changeMany(ctx, { kind: 'delete', filter: { ...EVERY_VIDEO, status } })
  }),
  'POST /api/admin/videos/regenerate-all': adminCall(ALL_OF_THEM, async ({ ctx, request }) =>
    json(await regenerateAll(ctx, { key: readIdempotencyKey(request) }), 202),
  ),
  'POST /api/admin/videos/regenerate-selected': adminCall(
    videoIdsInput,
    async ({ ctx, body, request }) =>
      json(await regenerateSelected(ctx, body.videoIds, readIdempotencyKey(request)), 202),
  ),
  'GET /api/batches/:batchId': programCall(NO_BODY, async ({ ctx, params }) =>
    getBatchSummary(ctx, params.batchId ?? ''),
  ),
  'PATCH /api/batches/:batchId': programCall(renameBatchInput, async ({ ctx, params, body }) =>
    renameBatch(ctx, { id: params.batchId ?? '', name: body.name }),
  ),
  'POST /api/batches/:batchId/retry-failed': programCall(
    ALL_OF_THEM,
    async ({ ctx, params, request }) =>
      json(await retryBatch(ctx, params.batchId ?? '', readIdempotencyKey(request)), 202),
  ),
  'POST /api/batches/:batchId/pause': programCall(NO_BODY, async ({ ctx, params }) =>
    pauseBatch(ctx, params.batchId ?? ''),
  ),
  'POST /api/batches/:batchId/resume': programCall(NO_BODY, async ({ ctx, params }) =>
    resumeBatch(ctx, params.batchId ?? ''),
  ),
  'POST /api/batches/:batchId/move-up': programCall(NO_BODY, async ({ ctx, params }) =>
    moveUpInLine(ctx, params.batchId ?? ''),
  ),
  'POST /api/batches/:batchId/cancel': programCall(NO_BODY, async ({ ctx, params }) =>
    cancelBatch(ctx, params.batchId ?? ''),
  ),
  'POST /api/videos/:videoId/regenerate': programCall(NO_BODY, async ({ ctx, params, request }) =>
    json(await regenerateVideo(ctx, params.videoId ?? '', readIdempotencyKey(request)), 202),
  ),
  'POST /api/videos/:videoId/retry': programCall(NO_BODY, async ({ ctx, params, request }) =>
    json(await retryVideo(ctx, params.videoId ?? '', readIdempotencyKey(request)), 202),
  ),
  'PUT /api/videos/:videoId/star': programCall(NO_BODY, async ({ ctx, params }) => {
    await starVideo(ctx, { id: params.videoId ?? '', starred: true })
    return { success: true }
  }),
  'DELETE /api/videos/:videoId/star': programCall(NO_BODY, async ({ ctx, params }) => {
    await starVideo(ctx, { id: params.videoId ?? '', starred: false })
    return { success: true }
  }),
  'DELETE /api/videos/:videoId': programCall(NO_BODY, async ({ ctx, params }) => {
    await deleteVideo(ctx, params.videoId ?? '')
    return { success: true }
  }),
  'POST /api/videos/bulk-generate': programCall(startBatchInput, async ({ ctx, body, request }) =>
    json(await startBatchFromCall(ctx, body, readIdempotencyKey(request)), 201),
  ),
  'DELETE /api/videos/delete-by-status': programCall(ALL_OF_THEM, async ({ ctx, request }) => {
    const { count, kept } = await deleteOwnByStatus(ctx, parseQuery(deleteByStatusQuery, request))
    const message = `${plural(count, 'video')} deleted.`
    return kept === 0
      ? { message, count }
      : { message: `${message} ${keptText(kept)}`, count, kept }
  }),
  'GET /api/videos/downloads': programCall(NO_BODY, async ({ ctx, request }) =>
    listDownloads(ctx, new URL(request.url).searchParams),
  ),
  'GET /api/videos/deleted': programCall(NO_BODY, async ({ ctx, request }) => {
    const after = new URL(request.url).searchParams.get('after') ?? undefined
    const { videos, next } = await listOwnTrash(ctx, readCursor(after))
    return { videos, next: next && writeCursor(next) }
  }),
  'POST /api/videos/deleted': programCall(videoIdsInput, async ({ ctx, body }) => ({
    count: await restoreOwn(ctx, { ids: body.videoIds }),
  })),
  'DELETE /api/videos/deleted': userCall(videoIdsInput, async ({ ctx, body }) => ({
    count: await removeOwn(ctx, body.videoIds),
  })),
  'POST /api/videos/generate': programCall(generateVideoCall, async ({ ctx, body, request }) => {
    const { id } = await generateFromCall(ctx, body, readIdempotencyKey(request))
    return json({ id }, 201)
  }),
  'POST /api/videos/retry-selected': programCall(videoIdsInput, async ({ ctx, body, request }) =>
    json(await retrySelected(ctx, body.videoIds, readIdempotencyKey(request)), 202),
  ),
  'POST /api/videos/retry-all-failed': programCall(ALL_OF_THEM, async ({ ctx, request }) =>
    json(await retryAllFailed(ctx, readIdempotencyKey(request)), 202),
  ),
}
