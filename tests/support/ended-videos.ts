import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Installation } from './installation'

export type NewVideo = {
  userId: string
  status: 'completed' | 'error'
  aspectRatio?: 'portrait' | 'landscape'
  prompt?: string
  createdAt?: Date
  /** Number of videos. */
  n?: number
  /** Whether to write the files that the rows name. */
  withFiles?: boolean
}

const BYTES = Buffer.from('not really a clip, but bytes all the same')

/** Inserts rows of ended videos without making them. Returns their ids, newest first. */
export async function addVideos(
  { db, dataDir }: Pick<Installation, 'db' | 'dataDir'>,
  video: NewVideo,
): Promise<string[]> {
  const { userId, status, n = 1, aspectRatio = 'portrait', withFiles = false } = video
  const newest = video.createdAt ?? new Date(Date.now() - 60_000)
  const rows = Array.from({ length: n }, (_, i) => {
    const id = randomUUID()
    const key = status === 'completed' ? `${id.slice(-2)}/${id}` : null
    return { id, key, at: new Date(newest.getTime() - i * 1000) }
  })
  if (withFiles)
    await Promise.all(rows.flatMap(({ key }) => (key === null ? [] : [writeFiles(dataDir, key)])))
  await db.query(
    `insert into videos (id, user_id, prompt, aspect_ratio, status, model, seed, created_at, completed_at,
       error_code, error_message, file_key, poster_key, file_bytes, file_sha256, file_crc32)
     select id, $1, coalesce($2, 'A prompt'), $3::aspect_ratio, $4::video_status, 'local-preview', 1, at,
       case when key is not null then at end, case when key is null then 'busy' end,
       case when key is null then 'The video service was too busy.' end,
       key || '.mp4', key || '.jpg', case when key is not null then $5::bigint end,
       case when key is not null then repeat('0', 64) end, case when key is not null then 0 end
     from unnest($6::uuid[], $7::text[], $8::timestamptz[]) as given(id, key, at)`,
    [
      userId,
      video.prompt ?? null,
      aspectRatio,
      status,
      BYTES.length,
      rows.map(({ id }) => id),
      rows.map(({ key }) => key),
      rows.map(({ at }) => at),
    ],
  )
  return rows.map(({ id }) => id)
}

async function writeFiles(dataDir: string, key: string): Promise<void> {
  const base = path.join(dataDir, 'videos', key)
  await fs.mkdir(path.dirname(base), { recursive: true })
  await Promise.all([fs.writeFile(`${base}.mp4`, BYTES), fs.writeFile(`${base}.jpg`, BYTES)])
}
