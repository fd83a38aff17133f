import { z } from 'zod'
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
import { programCall, userCall } from '../api.server'
import { collection, done } from './answers'
import { SOME_VIDEOS } from './examples'

/** The calls of collections. Their clips are listed by `GET /api/videos?collection=`. */
export const collectionsCalls = {
  'GET /api/collections': programCall({
    says: 'The collections, by name',
    answer: z.object({ collections: z.array(collection) }),
    run: async ({ ctx }) => ({ collections: await listCollectionNames(ctx) }),
  }),
  'POST /api/collections': programCall({
    says: 'Creates a collection',
    body: collectionInput,
    status: 201,
    answer: collection,
    errors: { CONFLICT: 'the name is taken, in letters of any case; there are 100' },
    example: { name: 'Boats' },
    run: async ({ ctx, body }) => createCollection(ctx, body.name),
  }),
  'PATCH /api/collections/:collectionId': programCall({
    says: 'Renames a collection',
    body: collectionInput,
    answer: collection,
    errors: { NOT_FOUND: '', CONFLICT: 'the name is taken' },
    example: { name: 'Boats' },
    run: async ({ ctx, params, body }) =>
      renameCollection(ctx, { id: params.collectionId ?? '', name: body.name }),
  }),
  'DELETE /api/collections/:collectionId': userCall({
    says: 'Deletes a collection; its clips stay',
    answer: done,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => {
      await deleteCollection(ctx, params.collectionId ?? '')
      return { success: true }
    },
  }),
  'POST /api/collections/:collectionId/videos': programCall({
    says: 'Adds clips; counts the new ones, those that were in it already, and videos left out because they have no clip',
    body: videoIdsInput,
    answer: z.object({ added: z.number(), already: z.number(), unfinished: z.number() }),
    errors: {
      NOT_FOUND: 'the collection or one of the videos',
      CONFLICT: 'no clip, or over 1,000',
    },
    example: SOME_VIDEOS,
    run: async ({ ctx, params, body }) => {
      const { added, already, unfinished } = await addClips(ctx, {
        into: { id: params.collectionId ?? '' },
        ids: body.videoIds,
      })
      return { added, already, unfinished }
    },
  }),
  'DELETE /api/collections/:collectionId/videos': programCall({
    says: 'Removes clips from a collection; the clips themselves stay',
    body: videoIdsInput,
    answer: z.object({ removed: z.number() }),
    errors: { NOT_FOUND: 'the collection' },
    example: SOME_VIDEOS,
    run: async ({ ctx, params, body }) => {
      const { removed } = await removeClips(ctx, {
        id: params.collectionId ?? '',
        ids: body.videoIds,
      })
      return { removed }
    },
  }),
}
