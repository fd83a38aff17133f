import { z } from 'zod'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { regenerateAll, regenerateSelected } from '~/domain/batches/regenerate-as-admin.server'
import { retryAllFailed, retrySelected } from '~/domain/batches/retry-failed.server'
import { ownSettings, startBatchInput } from '~/domain/batches/schemas'
import { startBatchFromCall } from '~/domain/batches/start-batch-call.server'
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
import { editVideo, regenerateVideo, retryVideo } from '~/domain/videos/requests/redo-video.server'
import { starVideo } from '~/domain/videos/requests/star-videos.server'
import { deleteByStatusQuery, editVideoInput, shareLinkCall } from '~/domain/videos/schemas'
import { createShareLink } from '~/domain/videos/share-links.server'
import { ALL_OF_THEM, adminCall, programCall, userCall } from '../api.server'
import {
  accepted,
  counted,
  done,
  downloads,
  messageAndCount,
  ordered,
  shareLink,
  startedBatch,
  trashPage,
  video,
} from './answers'
import { SOME_VIDEOS } from './examples'

/** The call of the edit dialog, which has a route of its own. */
export const editCall = programCall({
  says: "A new video with this prompt and the old one's aspect ratio",
  body: editVideoInput,
  takesKey: true,
  status: 201,
  answer: accepted,
  errors: { NOT_FOUND: '' },
  example: { prompt: 'A red boat at dusk' },
  run: async ({ ctx, body, params, key }) =>
    editVideo(ctx, { id: params.videoId ?? '', prompt: body.prompt, key }),
})

/** The calls of videos. Polled calls and downloads are not here: they are answered before Remix. */
export const videosCalls = {
  'POST /api/videos/generate': programCall({
    says: 'Orders a video',
    body: generateVideoCall,
    takesKey: true,
    status: 201,
    answer: accepted,
    example: { prompt: 'A red boat at dawn', aspectRatio: 'landscape', name: 'Boat' },
    run: async ({ ctx, body, key }) => {
      const { id } = await generateFromCall(ctx, body, key)
      return { id }
    },
  }),
  'POST /api/videos/bulk-generate': programCall({
    says: 'Orders a batch of 1 to 100 prompts; blank ones are dropped; all are accepted or none',
    body: startBatchInput,
    shownBody: startBatchInput.innerType().extend({
      prompts: z.array(
        z.string().or(
          ownSettings.extend({
            prompt: z.string(),
            picture: z.string().optional(),
            endPicture: z.string().optional(),
          }),
        ),
      ),
    }),
    takesKey: true,
    status: 201,
    answer: startedBatch,
    errors: { BATCH_RUNNING: '' },
    example: {
      prompts: ['A red boat at dawn', { prompt: 'A blue boat', aspectRatio: 'portrait' }],
      aspectRatio: 'landscape',
    },
    run: async ({ ctx, body, key }) => startBatchFromCall(ctx, body, key),
  }),
  'POST /api/videos/:videoId/retry': programCall({
    says: 'Orders a failed video again',
    takesKey: true,
    status: 202,
    answer: video,
    errors: { NOT_FOUND: '', CONFLICT: 'it has not failed' },
    run: async ({ ctx, params, key }) => retryVideo(ctx, params.videoId ?? '', key),
  }),
  'POST /api/videos/:videoId/regenerate': programCall({
    says: 'Orders a new clip; the present one stays until that is stored',
    takesKey: true,
    status: 202,
    answer: video,
    errors: { NOT_FOUND: '', CONFLICT: 'it is not completed' },
    run: async ({ ctx, params, key }) => regenerateVideo(ctx, params.videoId ?? '', key),
  }),
  'POST /api/videos/retry-all-failed': programCall({
    says: 'Retries all failed videos as a batch; with none `count` is 0',
    body: ALL_OF_THEM,
    takesKey: true,
    status: 202,
    answer: ordered,
    errors: { BATCH_RUNNING: '' },
    run: async ({ ctx, key }) => retryAllFailed(ctx, key),
  }),
  'POST /api/videos/retry-selected': programCall({
    says: 'Retries the named videos as a batch, 1,000 at most; those that have not failed are skipped',
    body: videoIdsInput,
    takesKey: true,
    status: 202,
    answer: ordered,
    errors: { BATCH_RUNNING: '' },
    example: SOME_VIDEOS,
    run: async ({ ctx, body, key }) => retrySelected(ctx, body.videoIds, key),
  }),
  'DELETE /api/videos/:videoId': programCall({
    says: 'Moves a video to the trash; the second time it answers 404',
    answer: done,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await deleteVideo(ctx, params.videoId ?? '')
      return { success: true }
    },
  }),
  'PUT /api/videos/:videoId/star': programCall({
    says: 'Stars a video, so that bulk deletion and retention keep it; it may be repeated',
    answer: done,
    errors: { NOT_FOUND: 'also for administrators', CONFLICT: 'it has no clip yet' },
    run: async ({ ctx, params }) => {
      await starVideo(ctx, { id: params.videoId ?? '', starred: true })
      return { success: true }
    },
  }),
  'DELETE /api/videos/:videoId/star': programCall({
    says: 'Removes the star; it may be repeated',
    answer: done,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await starVideo(ctx, { id: params.videoId ?? '', starred: false })
      return { success: true }
    },
  }),
  'POST /api/videos/:videoId/links': programCall({
    says: 'Creates a link with which people without an account see the clip',
    body: shareLinkCall,
    status: 201,
    answer: shareLink,
    errors: { NOT_FOUND: '', CONFLICT: 'it has no clip yet, or 20 links' },
    example: { days: 7, showsPrompt: false },
    run: async ({ ctx, body, params }) => {
      const videoId = params.videoId ?? ''
      const { token, expiresAt } = await createShareLink(ctx, { videoId }, body)
      return { url: new URL(paths.shared(token), ctx.settings.appUrl).href, expiresAt }
    },
  }),
  'DELETE /api/videos/delete-by-status': programCall({
    says: 'Deletes all videos with this status; `kept` counts starred ones that were left',
    query: deleteByStatusQuery,
    body: ALL_OF_THEM,
    answer: messageAndCount.extend({ kept: z.number().optional() }),
    errors: { BAD_INPUT: '' },
    run: async ({ ctx, query }) => {
      const { count, kept } = await deleteOwnByStatus(ctx, query)
      const message = `${plural(count, 'video')} deleted.`
      return kept === 0
        ? { message, count }
        : { message: `${message} ${keptText(kept)}`, count, kept }
    },
  }),
  'GET /api/videos/downloads': programCall({
    says: 'What can be downloaded at once, with the number of clips, their size and the query of the archive; takes the filters of the archive, `rangeFirst` and `rangeLast` (days)',
    answer: downloads,
    run: async ({ ctx, request }) => listDownloads(ctx, new URL(request.url).searchParams),
  }),
  'GET /api/videos/deleted': programCall({
    says: "The user's deleted videos that can be restored, the latest first; `after` is the `next` of the last answer",
    query: z.object({ after: z.string().optional() }),
    answer: trashPage,
    run: async ({ ctx, query }) => {
      const { videos, next } = await listOwnTrash(ctx, readCursor(query.after))
      return { videos, next: next && writeCursor(next) }
    },
  }),
  'POST /api/videos/deleted': programCall({
    says: 'Restores the named videos, 1,000 at most',
    body: videoIdsInput,
    answer: counted,
    errors: { CONFLICT: 'none is there' },
    example: SOME_VIDEOS,
    run: async ({ ctx, body }) => ({ count: await restoreOwn(ctx, { ids: body.videoIds }) }),
  }),
  'DELETE /api/videos/deleted': userCall({
    says: 'Deletes the named videos for good, 1,000 at most',
    body: videoIdsInput,
    answer: counted,
    errors: { CONFLICT: 'none is there' },
    example: SOME_VIDEOS,
    run: async ({ ctx, body }) => ({ count: await removeOwn(ctx, body.videoIds) }),
  }),
  'DELETE /api/admin/videos/delete-by-status': adminCall({
    says: "Deletes all users' videos with this status, without starred ones; more than 200 in the background",
    query: allVideosDeleteQuery,
    body: ALL_OF_THEM,
    answer: messageAndCount,
    errors: { CONFLICT: 'another such action runs', BAD_INPUT: '' },
    run: async ({ ctx, query: { status } }) =>
      changeMany(ctx, { kind: 'delete', filter: { ...EVERY_VIDEO, status } }),
  }),
  'POST /api/admin/videos/regenerate-all': adminCall({
    says: 'Regenerates all ended videos in the background',
    body: ALL_OF_THEM,
    takesKey: true,
    status: 202,
    answer: ordered,
    errors: { BAD_INPUT: 'there is none' },
    run: async ({ ctx, key }) => regenerateAll(ctx, { key }),
  }),
  'POST /api/admin/videos/regenerate-selected': adminCall({
    says: 'Regenerates the named videos in the background, 1,000 at most; running and unknown ones are skipped',
    body: videoIdsInput,
    takesKey: true,
    status: 202,
    answer: ordered,
    errors: { BAD_INPUT: 'none of them can be regenerated' },
    example: SOME_VIDEOS,
    run: async ({ ctx, body, key }) => regenerateSelected(ctx, body.videoIds, key),
  }),
}
