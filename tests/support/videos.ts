import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import type { Pagination, VideoView } from '../../app/domain/videos/types'
import type { Installation } from './installation'

/** What the list call returns. */
export type VideoPage = { videos: VideoView[]; pagination: Pagination }

export type MadeVideo = { id: string; bytes: Buffer; file: string }

type Columns = {
  prompt?: string
  clip_name?: string
  negative_prompt?: string | null
  aspect_ratio?: 'portrait' | 'landscape'
  status?: 'completed' | 'error' | 'pending' | 'generating'
  error_code?: string
  error_message?: string | null
  file_crc32?: number | null
  regenerate_count?: number
  regenerated_by_admin?: boolean
}

let made = 0

/**
 * Inserts videos into a user's gallery as if they had been made, the oldest first: completed ones
 * with a file of random bytes, failed ones with a reason. No quota is charged.
 */
export async function makeVideos(
  { db, dataDir }: Pick<Installation, 'db' | 'dataDir'>,
  userId: string,
  list: readonly Columns[],
): Promise<MadeVideo[]> {
  const videos: MadeVideo[] = []
  for (const columns of list) {
    const id = randomUUID()
    const status = columns.status ?? 'completed'
    const key = `${id.slice(-2)}/${id}.mp4`
    const bytes = createHash('sha512').update(id).digest()
    const file = path.join(dataDir, 'videos', key)
    const isDone = status === 'completed'
    if (isDone) {
      await fs.mkdir(path.dirname(file), { recursive: true })
      await fs.writeFile(file, bytes)
    }
    const row = {
      prompt: `Video ${made}`,
      aspect_ratio: 'portrait',
      error_code: status === 'error' ? 'unknown' : null,
      error_message: status === 'error' ? 'The video service lost this video.' : null,
      ...columns,
      id,
      user_id: userId,
      status,
      model: 'local-preview',
      seed: 1,
      created_at: new Date(Date.UTC(2026, 0, 1) + 1000 * made++),
      completed_at: isDone ? new Date(Date.UTC(2026, 0, 2)) : null,
      file_key: isDone ? key : null,
      file_bytes: isDone ? bytes.length : null,
      file_sha256: isDone ? createHash('sha256').update(bytes).digest('hex') : null,
      file_crc32: !isDone
        ? null
        : columns.file_crc32 === undefined
          ? crc32(bytes)
          : columns.file_crc32,
    }
    const names = Object.keys(row)
    await db.query(
      `insert into videos (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    )
    videos.push({ id, bytes, file })
  }
  return videos
}

/** Sets the progress of a video in percent, without a worker. */
export async function tellProgress(
  { db }: Pick<Installation, 'db'>,
  id: string,
  percent: number | null,
): Promise<void> {
  await db.query(`update videos set status = 'generating' where id = $1 and status = 'pending'`, [
    id,
  ])
  const { rowCount } = await db.query('update attempts set percent = $2 where video_id = $1', [
    id,
    percent,
  ])
  if (rowCount !== 0) return
  await db.query(
    `insert into attempts (id, video_id, generation, n, user_id, lane, state, provider, model,
       account_scope, sent_at, deadline_at, percent)
     select gen_random_uuid(), id, generation, 1, user_id, 0, 'submitted', 'local', 'm', 's',
       now() - interval '7 seconds', now() + interval '1 hour', $2 from videos where id = $1`,
    [id, percent],
  )
}

/** Reverts `tellProgress`: the video is pending again. */
export async function takeBack({ db }: Pick<Installation, 'db'>, id: string): Promise<void> {
  await db.query('delete from attempts where video_id = $1', [id])
  await db.query(`update videos set status = 'pending' where id = $1`, [id])
}
