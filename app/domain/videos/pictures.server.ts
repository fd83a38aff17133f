import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { isId, newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Deps, UserCtx } from '../context'
import { noSuchVideo } from './queries.server'
import { isVisibleTo } from './visibility.server'

// The pictures with which videos begin. A row is written before its file, and a link before the first
// order, so that whatever is killed when leaves a row that `removeUnusedPictures` finds.

/**
 * Stores a JPEG and returns its id. Unless a video is linked to it within an hour, it is removed. Throws
 * the storage's errors.
 */
export async function storePicture(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  jpeg: Uint8Array,
): Promise<string> {
  const id = newId()
  const key = `${id.slice(-2)}/${id}.jpeg`
  await db.run(sql`
    insert into order_pictures (id, file_key, sha256, created_at)
    values (${id}, ${key}, ${hashOf(jpeg)}, engine_now())`)
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

/** Makes a video begin with a stored picture, in the transaction that accepts it. */
export async function linkPicture(tx: Tx, videoId: string, pictureId: string): Promise<void> {
  await tx.run(sql`
    insert into video_pictures (video_id, picture_id) values (${videoId}, ${pictureId})`)
}

/** Makes new videos begin with the picture of another one, if it has one, in the same transaction. */
export async function sharePicture(
  tx: Tx,
  { of, to }: { of: string; to: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    insert into video_pictures (video_id, picture_id)
    select given.id, picture_id from video_pictures cross join unnest(${to}::uuid[]) as given(id)
    where video_id = ${of}`)
}

/** Returns whether a video begins with a picture. */
export async function hasPicture({ db }: UserCtx, videoId: string): Promise<boolean> {
  const row = await db.row(sql`select 1 from video_pictures where video_id = ${videoId}`)
  return row !== undefined
}

/** Returns where the picture of a video is stored. Throws NOT_FOUND. */
export async function getStoredPicture(
  ctx: UserCtx,
  videoId: string,
): Promise<{ fileKey: string; sha256: string }> {
  const row = isId(videoId)
    ? await ctx.db.row<{ fileKey: string; sha256: string }>(sql`
        select order_pictures.file_key as "fileKey", sha256
        from videos join video_pictures on video_id = videos.id
          join order_pictures on order_pictures.id = picture_id
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
  if (hashOf(bytes) !== sha256) throw new DamagedPicture(`the picture ${fileKey} has changed`)
  return bytes
}

/**
 * Removes links of videos that are gone, and pictures without a link that are older than an hour, at most
 * `most` of each. Adds the job that removes the files. Returns how many rows it removed.
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
        and not exists (select 1 from video_pictures where picture_id = picture.id)
      limit ${most} for update skip locked)
    returning file_key as key`)
  const keys = pictures.map(({ key }) => key)
  if (keys.length > 0) await queue.add(tx, [{ name: 'videos.purge', payload: { keys } }])
  return links + keys.length
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
