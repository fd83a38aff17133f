import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { isId, newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Deps, UserCtx } from '../context'
import { noSuchVideo } from './queries.server'
import type { PicturePlace } from './requests/pictures'
import { isVisibleTo } from './visibility.server'

// The pictures with which videos begin and end. A row is written before its file, and a link before the first
// order, so that whatever is killed when leaves a row that `removeUnusedPictures` finds.

/** What is known of a picture that was added to the prompts of a batch. */
type Added = { id: string; name: string; twinId: string }

/**
 * Stores a JPEG and returns its id. Unless a video or a draft is linked to it within an hour, it is
 * removed. Throws the storage's errors.
 */
export async function storePicture(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  jpeg: Uint8Array,
  { id = newId(), name, twinId }: Partial<Added> = {},
): Promise<string> {
  const key = `${id.slice(-2)}/${id}.jpeg`
  await db.run(sql`
    insert into order_pictures (id, file_key, sha256, created_at, name, twin_id)
    values (${id}, ${key}, ${pictureHash(jpeg)}, engine_now(), ${name ?? null}, ${twinId ?? null})`)
  const scratch = await storage.scratchPath(`${id}.jpeg`)
  try {
    await fs.writeFile(scratch, jpeg)
    await storage.commit(scratch, key)
  } catch (error) {
    await fs.rm(scratch, { force: true })
    throw error
  }
  return id
}

/** The ids of the stored pictures of a video: the one with which it begins, and the one with which it ends. */
export type PictureIds = { pictureId: string; endPictureId: string | null }

/** Makes a video begin, and perhaps end, with stored pictures, in the transaction that accepts it. */
export async function linkPictures(
  tx: Tx,
  videoId: string,
  { pictureId, endPictureId }: PictureIds,
): Promise<void> {
  await tx.run(sql`
    insert into video_pictures (video_id, picture_id, end_picture_id)
    values (${videoId}, ${pictureId}, ${endPictureId})`)
}

/**
 * Gives the prompts of a new batch their stored pictures, each at its place from 1, in the transaction that
 * accepts them. Those that wait for a later day keep theirs.
 */
export async function linkPicturesOfBatch(
  tx: Tx,
  batchId: string,
  links: readonly (PictureIds & { place: number })[],
): Promise<void> {
  if (links.length === 0) return
  const places = links.map(({ place }) => place)
  const pictures = links.map(({ pictureId }) => pictureId)
  const ends = links.map(({ endPictureId }) => endPictureId)
  await tx.run(sql`
    insert into video_pictures (video_id, picture_id, end_picture_id)
    select made.id, given.picture_id, given.end_picture_id
    from (select id, batch_position as place from videos where batch_id = ${batchId}
      union all select id, position from carried_prompts where batch_id = ${batchId}) as made
    join unnest(${places}::int[], ${pictures}::uuid[], ${ends}::uuid[])
      as given(place, picture_id, end_picture_id) on given.place = made.place`)
}

/** Gives the pictures of each of two videos to the other one, if it has any. */
export async function swapPictures(tx: Tx, one: string, other: string): Promise<void> {
  const links = await tx.rows<PictureIds & { videoId: string }>(sql`
    delete from video_pictures where video_id in (${one}, ${other})
    returning video_id as "videoId", picture_id as "pictureId", end_picture_id as "endPictureId"`)
  for (const { videoId, ...ids } of links)
    await linkPictures(tx, videoId === one ? other : one, ids)
}

/** Gives new videos the pictures of another one, if it has any, in the same transaction. */
export async function sharePictures(
  tx: Tx,
  { of, to }: { of: string; to: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    insert into video_pictures (video_id, picture_id, end_picture_id)
    select given.id, picture_id, end_picture_id from video_pictures cross join unnest(${to}::uuid[]) as given(id)
    where video_id = ${of}`)
}

/** Returns which pictures a video has. */
export async function picturesOfVideo({ db }: UserCtx, videoId: string): Promise<PicturePlace[]> {
  const row = await db.row<{ hasEnd: boolean }>(sql`
    select end_picture_id is not null as "hasEnd" from video_pictures where video_id = ${videoId}`)
  return row === undefined ? [] : row.hasEnd ? ['first', 'end'] : ['first']
}

/** Returns where a picture of a video is stored. Throws NOT_FOUND. */
export async function getStoredPicture(
  ctx: UserCtx,
  videoId: string,
  place: PicturePlace,
): Promise<{ fileKey: string; sha256: string }> {
  const row = isId(videoId)
    ? await ctx.db.row<{ fileKey: string; sha256: string }>(sql`
        select order_pictures.file_key as "fileKey", sha256
        from videos join video_pictures on video_id = videos.id
          join order_pictures
            on order_pictures.id = ${place === 'first' ? sql`picture_id` : sql`end_picture_id`}
        where videos.id = ${videoId} and ${isVisibleTo(ctx)}`)
    : undefined
  if (!row) throw noSuchVideo()
  return row
}

/** The stored picture is not the one that was uploaded. */
export class DamagedPicture extends Error {
  override name = 'DamagedPicture'
}

/**
 * Reads a stored picture, some hundred kilobytes. Throws FileMissing, DamagedPicture and
 * StorageUnavailable.
 */
export async function readPicture(
  storage: Deps['storage'],
  { fileKey, sha256 }: { fileKey: string; sha256: string },
): Promise<Buffer> {
  const bytes = await buffer(await storage.open(fileKey))
  if (pictureHash(bytes) !== sha256) throw new DamagedPicture(`the picture ${fileKey} has changed`)
  return bytes
}

/**
 * Removes links of videos that are gone, and pictures that neither a video nor a draft has, nor has their
 * twin, if they are older than an hour: at most `most` of each. Adds the job that removes the files. Returns how many rows it removed.
 */
export async function removeUnusedPictures(
  tx: Tx,
  queue: Deps['queue'],
  most: number,
): Promise<number> {
  const links = await tx.run(sql`
    delete from video_pictures where video_id in (
      select video_id from video_pictures as link
      where not exists (select 1 from videos where videos.id = link.video_id)
        and not exists (select 1 from carried_prompts as carried where carried.id = link.video_id)
      limit ${most} for update skip locked)`)
  const pictures = await tx.rows<{ key: string }>(sql`
    delete from order_pictures where id in (
      select id from order_pictures as picture
      where created_at < engine_now() - interval '1 hour'
        and not exists (select 1 from video_pictures
          where picture_id in (picture.id, picture.twin_id))
        and not exists (select 1 from video_pictures
          where end_picture_id in (picture.id, picture.twin_id))
        and not exists (select 1 from draft_pictures as draft
          where draft.portrait_id = picture.id or draft.landscape_id = picture.id)
      limit ${most} for update skip locked)
    returning file_key as key`)
  const keys = pictures.map(({ key }) => key)
  if (keys.length > 0) await queue.add(tx, [{ name: 'videos.purge', payload: { keys } }])
  return links + keys.length
}

/** Returns the hash under which a picture is stored. */
export const pictureHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
