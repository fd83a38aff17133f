import fc from 'fast-check'
import type { UserCtx } from '../../../app/domain/context'
import { orderFilm } from '../../../app/domain/films/film.server'
import {
  addClips,
  deleteCollection,
  listCollectionNames,
  removeClips,
} from '../../../app/domain/videos/collections.server'
import { restoreOwn } from '../../../app/domain/videos/requests/own-trash.server'
import { starVideo } from '../../../app/domain/videos/requests/star-videos.server'
import {
  countSharedDownload,
  createShareLink,
  endShareLink,
  getShared,
  listShareLinks,
} from '../../../app/domain/videos/share-links.server'
import { videosOf } from '../engine/actions'
import { endOfFilm } from '../film-clips'
import { often, step, userAt, videoOf, which, who } from './world'

/** Acts on some of a user's videos with clips. */
const onClips = (name: string, act: (user: UserCtx, ids: string[]) => Promise<unknown>) =>
  step(name, fc.tuple(who, fc.integer({ min: 1, max: 4 })), async (world, [index, count]) => {
    const user = userAt(world, index)
    const videos = await videosOf(world.engine, user)
    const clips = videos.filter(({ fileKey, deletedAt }) => fileKey !== null && deletedAt === null)
    await act(
      user,
      clips.slice(-count).map(({ id }) => id),
    )
  })

const FOR_A_WEEK = { days: 7, showsPrompt: true } as const

/** What users do with clips, and strangers with what is shared. */
export const clipSteps = [
  step('restore', who, async (world, index) => {
    const user = userAt(world, index)
    const videos = await videosOf(world.engine, user)
    const ids = videos.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id)
    await restoreOwn(user, { ids })
  }),
  onClips('star', async (user, ids) => {
    for (const id of ids) await starVideo(user, { id, starred: true })
  }),
  step('unstar', fc.tuple(who, which), async (world, [index, video]) => {
    const user = userAt(world, index)
    await starVideo(user, { id: await videoOf(world, user, video), starred: false })
  }),
  onClips('collect', (user, ids) => addClips(user, { into: { name: 'Best' }, ids })),
  onClips('take out of the collection', async (user, ids) => {
    for (const { id } of await listCollectionNames(user)) await removeClips(user, { id, ids })
  }),
  step('delete the collection', who, async (world, index) => {
    const user = userAt(world, index)
    for (const { id } of await listCollectionNames(user)) await deleteCollection(user, id)
  }),
  ...often(
    onClips('join', async (user, ids) => {
      await orderFilm(user, ids)
      await endOfFilm(user, ids)
    }),
  ),
  ...often(
    onClips('share', async (user, ids) => {
      for (const videoId of ids) await createShareLink(user, { videoId }, FOR_A_WEEK)
    }),
  ),
  onClips('end a link', async (user, ids) => {
    for (const videoId of ids)
      for (const { token } of await listShareLinks(user, { videoId }))
        await endShareLink(user, token)
  }),
  step('share the collection', who, async (world, index) => {
    const user = userAt(world, index)
    for (const { id } of await listCollectionNames(user))
      await createShareLink(user, { collectionId: id }, FOR_A_WEEK)
  }),
  step('a stranger opens what is shared', fc.constant(null), async ({ engine }) => {
    const { rows } = await engine.pool.query<{ token: string }>(
      'select token from share_links where video_id is not null',
    )
    for (const { token } of rows) {
      await getShared(engine.deps.db, token)
      await countSharedDownload(engine.deps.db, token)
    }
  }),
]
