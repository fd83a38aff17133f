import { expect } from 'vitest'
import type { UserCtx } from '../../../app/domain/context'
import { orderFilm } from '../../../app/domain/films/film.server'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import {
  addClips,
  deleteCollection,
  listCollections,
  removeClips,
} from '../../../app/domain/videos/collections.server'
import { planArchive } from '../../../app/domain/videos/gallery/archive.server'
import { getCounts } from '../../../app/domain/videos/gallery/counts.server'
import { getKeeping } from '../../../app/domain/videos/keeping.server'
import { findVideo } from '../../../app/domain/videos/queries.server'
import { deleteVideo, deleteVideos } from '../../../app/domain/videos/requests/delete-videos.server'
import { readLastPicture } from '../../../app/domain/videos/requests/last-picture.server'
import {
  listOwnTrash,
  removeOwn,
  restoreOwn,
} from '../../../app/domain/videos/requests/own-trash.server'
import {
  generateFromPicture,
  pictureVideoForm,
} from '../../../app/domain/videos/requests/picture-video.server'
import { editVideo, regenerateVideo } from '../../../app/domain/videos/requests/redo-video.server'
import { starVideo } from '../../../app/domain/videos/requests/star-videos.server'
import { purgeTrash } from '../../../app/domain/videos/requests/trash.server'
import {
  createShareLink,
  endShareLink,
  getShared,
  listShareLinks,
} from '../../../app/domain/videos/share-links.server'
import { acceptedFrom, attempt, generate } from '../engine/actions'
import { deleteOwner, disable, enable, quotaAgrees, restoreOwner, unitsOf } from './account-acts'
import { endOfFilm } from '../film-clips'
import { DONE, type Act, type Refusal, type Thing } from './thing'
import { DAY_MS, type World } from './world'

/** A finished clip, and another one of the same person. */
export type Clip = {
  person: UserCtx
  videoId: string
  otherId: string
  /** The links to it that were made, also those that have ended. */
  links: Set<string>
}

const TRAITS = ['under way', 'starred', 'shared', 'collected', 'trashed'] as const
type Trait = (typeof TRAITS)[number]

/** One order of the account is under way at a time, and takes a minute. */
const MADE_MS = 240_000

async function open(world: World, person: UserCtx, traits: ReadonlySet<Trait>): Promise<Clip> {
  const { id: otherId } = await generate(person, 'another clip')
  const { id: videoId } = await generate(person, 'a clip')
  const clip = { person, videoId, otherId, links: new Set<string>() }
  if (traits.has('under way')) return clip
  await world.engine.advance(MADE_MS)
  if (traits.has('starred')) await acts.star(world, clip)
  if (traits.has('shared')) await acts.share(world, clip)
  if (traits.has('collected')) await acts.collect(world, clip)
  if (traits.has('trashed')) await acts.delete(world, clip)
  return clip
}

type Row = {
  prompt: string
  status: string
  starred: boolean
  isTrashed: boolean
  hasClip: boolean
  generation: number
  collections: string[]
  links: string[]
}

async function stored(world: World, { person, videoId }: Clip) {
  const { rows } = await world.engine.pool.query<Row>(
    `select prompt, status::text, starred, deleted_at is not null as "isTrashed", file_key is not null as "hasClip",
       generation,
       array(select name from collection_videos join collections on collections.id = collection_id
         where video_id = videos.id order by name) as collections,
       array(select token from share_links where video_id = videos.id
         and (expires_at is null or expires_at > engine_now()) order by token) as links
     from videos where videos.id = $1`,
    [videoId],
  )
  return { row: rows[0] ?? null, units: await unitsOf(world, person) }
}

/** Fails unless the act costs as many units of today as it should. */
const costing =
  (units: number, act: Act<Clip>): Act<Clip> =>
  async (world, clip) => {
    const before = await stored(world, clip)
    await act(world, clip)
    const after = await stored(world, clip)
    expect(after.units.used).toBe(before.units.used + units)
  }

const acts = {
  star: async (_world, { person, videoId }) => starVideo(person, { id: videoId, starred: true }),
  unstar: async (_world, { person, videoId }) => starVideo(person, { id: videoId, starred: false }),
  delete: async (_world, { person, videoId }) => {
    expect(await deleteVideo(person, videoId)).toMatchObject({ count: 1, kept: 0 })
  },
  'delete with others': async (world, clip) => {
    const { person, videoId, otherId } = clip
    const { row } = await stored(world, clip)
    const { count, kept } = await deleteVideos(person, [videoId, otherId])
    const after = await stored(world, clip)
    const isKept = row?.starred === true && !row.isTrashed
    expect(kept).toBe(isKept ? 1 : 0)
    expect(count).toBeLessThanOrEqual(2 - kept)
    expect(after.row?.isTrashed ?? true).toBe(!isKept)
  },
  restore: costing(0, async (_world, { person, videoId }) => {
    expect(await restoreOwn(person, { ids: [videoId] })).toBe(1)
  }),
  'remove for good': async (_world, { person, videoId }) => {
    expect(await removeOwn(person, [videoId])).toBe(1)
  },
  'empty the trash': ({ engine }) => purgeTrash(engine.deps),
  share: async (_world, { person, videoId, links }) => {
    await createShareLink(person, { videoId }, { days: 7, showsPrompt: true })
    for (const { token } of await listShareLinks(person, { videoId })) links.add(token)
  },
  'end the link': async (_world, { person, links }) =>
    endShareLink(person, [...links][0] ?? 'none'),
  collect: async (_world, { person, videoId }) => {
    const { added, already } = await addClips(person, { into: { name: 'Best' }, ids: [videoId] })
    expect(added + already).toBe(1)
  },
  'delete the collection': async (_world, { person }) => {
    for (const { id } of (await listCollections(person, null)).collections)
      await deleteCollection(person, id)
  },
  'take out': async (_world, { person, videoId }) => {
    for (const { id } of (await listCollections(person, null)).collections)
      await removeClips(person, { id, ids: [videoId] })
  },
  film: costing(0, async (_world, { person, videoId, otherId }) => {
    const ids = [videoId, otherId]
    await orderFilm(person, ids)
    expect(await endOfFilm(person, ids)).toMatchObject({ state: 'ready' })
  }),
  continue: costing(1, async (_world, { person, videoId }) => {
    const bytes = await readLastPicture(person, videoId)
    const input = pictureVideoForm.parse({ prompt: 'and on' })
    const { id } = await generateFromPicture(person, { input, bytes })
    acceptedFrom(person.db).videos.set(id, person.actor.id)
  }),
  regenerate: costing(1, (_world, { person, videoId }) => regenerateVideo(person, videoId)),
  edit: costing(1, async (_world, { person, videoId }) => {
    const { id } = await editVideo(person, { id: videoId, prompt: 'a changed clip' })
    acceptedFrom(person.db).videos.set(id, person.actor.id)
  }),
  download: (_world, { person, videoId }) =>
    planArchive(person, { kind: 'selected', ids: [videoId] }),
  'some minutes': ({ engine }) => engine.advance(MADE_MS),
  'a hundred days': async ({ engine }) => {
    // The rule is noted first: nobody loses what no page has announced.
    await removeOld(engine.deps)
    await engine.clock.move(100 * DAY_MS)
    await removeOld(engine.deps)
  },
  disable,
  enable,
  'delete the account': deleteOwner,
  'restore the account': restoreOwner,
} satisfies Record<string, Act<Clip>>

const NO_VIDEO = 'This video does not exist'
const NOT_FINISHED = 'This video is not finished yet'
const DELETED = ['trashed', 'delete', 'delete with others'] as const
/** After a hundred days the clip is in the trash, and the days that were sold are over. */
const OVER = 'a hundred days'
const ORDERS = ['continue', 'regenerate', 'edit'] as const
const ON_THE_CLIP = [
  'star',
  'unstar',
  'delete',
  'share',
  'collect',
  'film',
  'continue',
  'edit',
] as const

const refusals: readonly Refusal<keyof typeof acts | Trait>[] = [
  { after: [...DELETED, OVER, 'delete the account'], then: ON_THE_CLIP, says: NO_VIDEO },
  { after: DELETED, then: ['regenerate'], says: NO_VIDEO },
  {
    after: [OVER],
    then: ['regenerate'],
    says: 'Your plan has expired. Renew it to generate more videos.',
  },
  { after: ['delete the account'], then: ['regenerate'], says: 'Please sign in' },
  { after: ['under way'], then: ['star', 'share', 'collect', 'continue'], says: NOT_FINISHED },
  { after: ['under way'], then: ['film'], says: 'One of these videos has no clip now' },
  {
    after: ['under way', 'regenerate'],
    then: ['regenerate'],
    says: 'Only completed videos can be regenerated',
  },
  // The third unit of the day.
  {
    after: ORDERS,
    then: ORDERS,
    says: 'You have 0 videos remaining today; 1 requested',
  },
  {
    after: ['disable'],
    then: ORDERS,
    says: 'This account is disabled. Contact us to open it again.',
  },
  // The old clip stays while a new one is made, but it is not what is downloaded.
  {
    after: [...DELETED, OVER, 'delete the account', 'under way', 'regenerate'],
    then: ['download'],
    says: 'No completed videos found',
  },
  { after: [...DELETED, OVER], then: ['restore', 'remove for good'], says: DONE },
  {
    after: 'any',
    then: ['restore', 'remove for good'],
    says: 'None of these videos is in Recently deleted any more',
  },
  { after: ['shared', 'share'], then: ['end the link'], says: DONE },
  { after: 'any', then: ['end the link'], says: 'This link has ended' },
  {
    after: ['delete the account'],
    then: ['disable', 'enable', 'delete the account'],
    says: 'This user does not exist',
  },
  { after: ['delete the account'], then: ['restore the account'], says: DONE },
  {
    after: 'any',
    then: ['restore the account'],
    says: 'This user is not in the trash any more',
  },
]

async function agrees(world: World, clip: Clip): Promise<void> {
  const { person, videoId, links } = clip
  const { engine } = world
  const { row } = await stored(world, clip)
  const { rows: accounts } = await engine.pool.query<{ isThere: boolean; isOpen: boolean }>(
    `select deleted_at is null as "isThere", is_active and deleted_at is null as "isOpen"
     from users where id = $1`,
    [person.actor.id],
  )
  const { isThere, isOpen } = accounts[0]!
  const isShown = row !== null && !row.isTrashed

  const view = await findVideo(person, videoId)
  expect(view !== null).toBe(isShown)
  if (isShown)
    expect(view).toMatchObject({ prompt: row.prompt, status: row.status, starred: row.starred })

  // A deleted one is in the trash or gone for good, and only the trash says that it can be restored.
  const inTrash = (await listOwnTrash(person, null)).videos.some(({ id }) => id === videoId)
  if (inTrash) expect([isThere, row?.isTrashed]).toEqual([true, true])
  if (isShown) expect(inTrash).toBe(false)

  const { rows } = await engine.pool.query<{ status: string; n: number }>(
    `select case when error_code = 'cancelled' then 'cancelled' else status::text end as status,
       count(*)::int as n from videos where user_id = $1 and deleted_at is null group by 1`,
    [person.actor.id],
  )
  const of = (...states: string[]) =>
    rows.reduce((sum, { status, n }) => sum + (states.includes(status) ? n : 0), 0)
  expect((await getCounts(engine.deps.db, person.actor.id)).counts).toMatchObject({
    completed: of('completed'),
    inProgress: of('pending', 'generating'),
    failed: of('error'),
    cancelled: of('cancelled'),
  })

  // A link opens the clip while its owner sees it there and may sign in, and is listed as long as it works.
  for (const token of links) {
    const works = row?.links.includes(token) === true && isShown && row.hasClip && isOpen
    const shown = await attempt(() => getShared(engine.deps.db, token))
    expect(shown !== 'NOT_FOUND').toBe(works)
    if (works) expect(shown).toMatchObject({ prompt: row.prompt })
  }
  if (isShown) {
    const listed = (await listShareLinks(person, { videoId })).map(({ token }) => token)
    expect(listed.sort()).toEqual(row.links)
  }

  for (const { name, clips } of (await listCollections(person, null)).collections)
    expect([name, clips]).toEqual([name, isShown && row.collections.includes(name) ? 1 : 0])

  // What can be downloaded is what is there; what a card says will be deleted has no star.
  const archive = await attempt(() => planArchive(person, { kind: 'selected', ids: [videoId] }))
  expect(archive !== 'NOT_FOUND').toBe(isShown && row.status === 'completed')
  const going = Object.keys((await getKeeping(person, [videoId]))?.dayOf ?? {})
  if (going.length > 0) expect(row).toMatchObject({ starred: false, isTrashed: false })
  await quotaAgrees(world, person)
}

export const clips: Thing<Clip, keyof typeof acts, Trait> = {
  open,
  traits: TRAITS,
  acts,
  stored,
  agrees,
  refusals,
}
