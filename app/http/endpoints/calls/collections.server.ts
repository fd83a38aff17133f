import { json } from '@remix-run/node'
import { videoIdsInput } from '~/domain/videos/admin/all-videos-schemas'
import {
  addClips,
  createCollection,
  deleteCollection,
  listCollectionNames,
  removeClips,
  renameCollection,
} from '~/domain/videos/collections.server'
import { collectionInput } from '~/domain/videos/schemas'
import { NO_BODY, programCall, userCall } from '../api.server'

/** The calls of collections. Their clips are listed by `GET /api/videos?collection=`. */
export const collectionsCalls = {
  'GET /api/collections': programCall(NO_BODY, async ({ ctx }) => ({
    collections: await listCollectionNames(ctx),
  })),
  'POST /api/collections': programCall(collectionInput, async ({ ctx, body }) =>
    json(await createCollection(ctx, body.name), 201),
  ),
  'PATCH /api/collections/:collectionId': programCall(
    collectionInput,
    async ({ ctx, params, body }) =>
      renameCollection(ctx, { id: params.collectionId ?? '', name: body.name }),
  ),
  'DELETE /api/collections/:collectionId': userCall(NO_BODY, async ({ ctx, params }) => {
    await deleteCollection(ctx, params.collectionId ?? '')
    return { success: true }
  }),
  'POST /api/collections/:collectionId/videos': programCall(
    videoIdsInput,
    async ({ ctx, params, body }) => {
      const { added, already, unfinished } = await addClips(ctx, {
        into: { id: params.collectionId ?? '' },
        ids: body.videoIds,
      })
      return { added, already, unfinished }
    },
  ),
  'DELETE /api/collections/:collectionId/videos': programCall(
    videoIdsInput,
    async ({ ctx, params, body }) => {
      const { removed } = await removeClips(ctx, {
        id: params.collectionId ?? '',
        ids: body.videoIds,
      })
      return { removed }
    },
  ),
}
