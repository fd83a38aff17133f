import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { mediaVersion } from '~/lib/media-version'
import type { Executor } from '~/platform/db/port'
import type { AspectRatio } from '../videos/types'
import type { Chosen, ChosenClip } from './types'

/** As much of a prompt as names its clip, if it has no name. */
const PROMPT_CHARACTERS = 200

/** A video of a user as it is stored now, also a deleted one. */
export type StoredVideo = {
  id: string
  prompt: string
  aspectRatio: AspectRatio
  fileKey: string | null
  sha256: string | null
  bytes: number
  durationMs: number
  hasPoster: boolean
  regenerateCount: number
  completedAt: string | null
  isDeleted: boolean
}

/**
 * Reads a user's own videos in the order of their ids, or the oldest first. An id that is given twice
 * counts once. Returns null if one of the videos does not exist or belongs to another user.
 */
export async function readVideos(
  db: Executor,
  userId: string,
  { ids: given, sort }: { ids: readonly string[]; sort: 'as given' | 'oldest first' },
): Promise<StoredVideo[] | null> {
  const ids = [...new Set(given)]
  if (!ids.every(isId)) return null
  const rows = await db.rows<StoredVideo>(sql`
    select id, coalesce(clip_name, left(prompt, ${PROMPT_CHARACTERS}::int)) as prompt, aspect_ratio as "aspectRatio",
      file_key as "fileKey", file_sha256 as sha256, coalesce(file_bytes, 0)::int as bytes,
      coalesce(duration_ms, 0) as "durationMs", poster_key is not null as "hasPoster",
      regenerate_count as "regenerateCount", completed_at::text as "completedAt",
      deleted_at is not null as "isDeleted"
    from videos where id = any(${ids}::uuid[]) and user_id = ${userId}
    order by created_at, id`)
  if (rows.length < ids.length) return null
  const place = new Map(ids.map((id, index) => [id, index]))
  const placeOf = ({ id }: StoredVideo) => place.get(id) ?? 0
  return sort === 'as given' ? rows.sort((one, other) => placeOf(one) - placeOf(other)) : rows
}

/** Returns what the page of a film shows of its videos. */
export function chosenOf(videos: readonly StoredVideo[]): Chosen {
  const clips = videos.filter(({ fileKey }) => fileKey !== null).map(toClip)
  return { clips, unfinished: videos.length - clips.length }
}

const toClip = (video: StoredVideo): ChosenClip => ({
  id: video.id,
  prompt: video.prompt,
  aspectRatio: video.aspectRatio,
  bytes: video.bytes,
  durationMs: video.durationMs,
  hasPoster: video.hasPoster,
  version: mediaVersion(video),
})
