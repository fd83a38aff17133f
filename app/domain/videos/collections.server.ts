import sql, { empty } from 'sql-template-tag'
import { figure } from '~/lib/figures'
import { isId, newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { isoText } from '../iso-text.server'
import {
  COLLECTION_LIMITS,
  type AddedClips,
  type CollectionName,
  type CollectionSummary,
} from './collections'
import type { Cursor } from './cursor'
import { lockGalleries } from './locks.server'
import { noSuchVideo } from './queries.server'

// Every change locks the gallery of its user first, so that the limits hold whatever is sent at once.

/** Collections per page of the list. */
const PAGE = 20

/** The same for names that differ only in the case of their letters, in every language of the database. */
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase()

/** Returns the NOT_FOUND error for a collection, also for one of another user. */
const noSuchCollection = (): AppError => new AppError('NOT_FOUND', 'This collection does not exist')

const nameTaken = (name: string): AppError => {
  const message = `You have a collection named “${name}”`
  return new AppError('CONFLICT', message, { fields: { name: [message] } })
}

/** Lists a page of the actor's collections, newest first, after the cursor `after`. */
export async function listCollections(
  { db, actor }: UserCtx,
  after: Cursor | null,
): Promise<{ collections: CollectionSummary[]; next: Cursor | null }> {
  const beyond = after
    ? sql`and (collections.created_at, collections.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
    : empty
  // The few in the trash are read once: reading every clip of full collections takes 20 times as long.
  const trashed = sql`select id from videos where user_id = ${actor.id} and deleted_at is not null`
  const rows = await db.rows<CollectionSummary>(sql`
    select collections.id, collections.name, ${isoText(sql`collections.created_at`)} as "createdAt",
      (select count(*)::int from collection_videos
        where collection_id = collections.id and video_id not in (${trashed})) as clips,
      (select video_id from collection_videos join videos on videos.id = video_id
        where collection_id = collections.id and videos.deleted_at is null and poster_key is not null
        order by added_at, video_id limit 1) as poster
    from collections where collections.user_id = ${actor.id} ${beyond}
    order by collections.created_at desc, collections.id desc limit ${PAGE + 1}`)
  const collections = rows.slice(0, PAGE)
  const last = collections.at(-1)
  const hasMore = rows.length > PAGE && last !== undefined
  return { collections, next: hasMore ? { at: last.createdAt, id: last.id } : null }
}

/** Lists the names of all collections of the actor, by name. */
export const listCollectionNames = ({ db, actor }: UserCtx): Promise<CollectionName[]> =>
  db.rows<CollectionName>(sql`
    select id, name from collections where user_id = ${actor.id}
    order by name_key limit ${COLLECTION_LIMITS.collections}`)

/** Lists the actor's collections that a video is in, by name. */
export const listCollectionsOf = (
  { db, actor }: UserCtx,
  videoId: string,
): Promise<CollectionName[]> =>
  db.rows<CollectionName>(sql`
    select id, name from collections join collection_videos on collection_id = collections.id
    where video_id = ${videoId} and user_id = ${actor.id} order by name_key`)

/** Returns one of the actor's own collections. Throws NOT_FOUND. */
export async function getCollection({ db, actor }: UserCtx, id: string): Promise<CollectionName> {
  const found = isId(id)
    ? await db.row<CollectionName>(sql`
        select id, name from collections where id = ${id} and user_id = ${actor.id}`)
    : undefined
  if (!found) throw noSuchCollection()
  return found
}

/** Creates an empty collection. Throws CONFLICT if the name is taken, or beyond the limit. */
export const createCollection = ({ db, actor }: UserCtx, name: string): Promise<CollectionName> =>
  db.transaction(async (tx) => {
    await lockGalleries(tx, [actor.id])
    return insertCollection(tx, actor.id, name)
  })

/** Inserts a collection of a user whose gallery is locked. Throws as `createCollection`. */
async function insertCollection(tx: Tx, userId: string, name: string): Promise<CollectionName> {
  const id = newId()
  const inserted = await tx.run(sql`
    insert into collections (id, user_id, name, name_key, created_at)
    values (${id}, ${userId}, ${name}, ${keyOf(name)}, engine_now()) on conflict do nothing`)
  if (inserted === 0) throw nameTaken(name)
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from collections where user_id = ${userId}`)
  if (count <= COLLECTION_LIMITS.collections) return { id, name }
  throw new AppError(
    'CONFLICT',
    `You can have ${COLLECTION_LIMITS.collections} collections. Delete one to make this one.`,
  )
}

/** Renames one of the actor's own collections. Throws NOT_FOUND, or CONFLICT if the name is taken. */
export const renameCollection = (
  { db, actor }: UserCtx,
  { id, name }: CollectionName,
): Promise<CollectionName> =>
  db.transaction(async (tx) => {
    await lockGalleries(tx, [actor.id])
    await requireOwn(tx, actor.id, id)
    const renamed = await tx.run(sql`
      update collections set name = ${name}, name_key = ${keyOf(name)}
      where id = ${id} and user_id = ${actor.id} and not exists (select 1 from collections as other
        where other.user_id = ${actor.id} and other.name_key = ${keyOf(name)} and other.id <> ${id})`)
    if (renamed === 0) throw nameTaken(name)
    return { id, name }
  })

/** Deletes one of the actor's own collections with its links. Its clips stay. Throws NOT_FOUND. */
export const deleteCollection = ({ db, actor }: UserCtx, id: string): Promise<CollectionName> =>
  db.transaction(async (tx) => {
    await lockGalleries(tx, [actor.id])
    const collection = await requireOwn(tx, actor.id, id)
    await tx.run(sql`delete from collections where id = ${id} and user_id = ${actor.id}`)
    return collection
  })

/** A collection by its id, or by its name, which makes it if there is none. */
export type Into = { id: string } | { name: string }

/**
 * Puts videos of the actor into one of the actor's own collections. One that is in it stays as it is;
 * those without a clip are left out. Throws NOT_FOUND if the collection or one of the videos does not
 * exist or is another user's, CONFLICT if no video has a clip or if there are too many. Then nothing has changed.
 */
export const addClips = (
  { db, actor }: UserCtx,
  { into, ids }: { into: Into; ids: readonly string[] },
): Promise<AddedClips> =>
  db.transaction(async (tx) => {
    const wanted = [...new Set(ids)]
    if (!wanted.every(isId)) throw noSuchVideo()
    await lockGalleries(tx, [actor.id])
    const collection = await findInto(tx, actor.id, into)
    const { found, clips, added, first } = await insertClips(tx, {
      userId: actor.id,
      collectionId: collection.id,
      ids: wanted,
    })
    if (found < wanted.length) throw noSuchVideo()
    if (clips === 0)
      throw new AppError(
        'CONFLICT',
        found === 1 ? 'This video is not finished yet' : 'None of these videos is finished yet',
      )
    await refuseTooMany(tx, collection)
    await tellFeed(tx, first)
    const { id, name } = collection
    return { id, name, added, already: clips - added, unfinished: found - clips }
  })

async function findInto(tx: Tx, userId: string, into: Into): Promise<CollectionName> {
  if ('id' in into) return requireOwn(tx, userId, into.id)
  const { name } = into
  const known = await tx.row<CollectionName>(sql`
    select id, name from collections where user_id = ${userId} and name_key = ${keyOf(name)}`)
  return known ?? insertCollection(tx, userId, name)
}

/** Returns a user's own collection. Throws NOT_FOUND. */
async function requireOwn(tx: Tx, userId: string, id: string): Promise<CollectionName> {
  const found = isId(id)
    ? await tx.row<CollectionName>(sql`
        select id, name from collections where id = ${id} and user_id = ${userId}`)
    : undefined
  if (!found) throw noSuchCollection()
  return found
}

/**
 * Writes into the feed that a clip came into a collection, or left it: a page that is open elsewhere then
 * loads its list again at its next poll. One of the clips is enough, and no poll costs more.
 */
async function tellFeed(tx: Tx, videoId: string | null): Promise<void> {
  if (videoId !== null) await tx.run(sql`update videos set starred = starred where id = ${videoId}`)
}

type Insert = { userId: string; collectionId: string; ids: readonly string[] }

/**
 * Returns how many of the videos are the user's, how many of these have a clip, how many are new, and the id
 * of one that is.
 */
const insertClips = (tx: Tx, { userId, collectionId, ids }: Insert) =>
  tx.one<{ found: number; clips: number; added: number; first: string | null }>(sql`
    with chosen as (
      select id, file_key is not null as "hasClip" from videos
      where id = any(${[...ids]}::uuid[]) and user_id = ${userId} and deleted_at is null
    ), added as (
      insert into collection_videos (collection_id, video_id, added_at)
      select ${collectionId}::uuid, id, engine_now() from chosen where "hasClip"
      on conflict do nothing returning video_id
    )
    select (select count(*)::int from chosen) as found,
      (select count(*)::int from chosen where "hasClip") as clips,
      (select count(*)::int from added) as added, (select video_id from added limit 1) as first`)

async function refuseTooMany(tx: Tx, { id, name }: CollectionName): Promise<void> {
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from collection_videos where collection_id = ${id}`)
  if (count <= COLLECTION_LIMITS.clips) return
  throw new AppError(
    'CONFLICT',
    `A collection holds at most ${figure(COLLECTION_LIMITS.clips)} clips, deleted ones included for 7 days. “${name}” would have ${figure(count)}.`,
  )
}

/**
 * Takes videos out of one of the actor's own collections. The clips stay. Ids that are not in it are
 * ignored. Returns how many were taken out. Throws NOT_FOUND for the collection.
 */
export const removeClips = (
  { db, actor }: UserCtx,
  { id, ids }: { id: string; ids: readonly string[] },
): Promise<CollectionName & { removed: number }> =>
  db.transaction(async (tx) => {
    await lockGalleries(tx, [actor.id])
    const collection = await requireOwn(tx, actor.id, id)
    const removed = await tx.rows<{ id: string }>(sql`
      delete from collection_videos
      where collection_id = ${collection.id} and video_id = any(${ids.filter(isId)}::uuid[])
      returning video_id as id`)
    await tellFeed(tx, removed[0]?.id ?? null)
    return { id: collection.id, name: collection.name, removed: removed.length }
  })
