import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import { mediaVersion } from '~/lib/media-version'
import type { Executor } from '~/platform/db/port'
import type { AspectRatio } from '../videos/types'
import type { Chosen, ChosenClip } from './types'

/** As much of a prompt as a film keeps, to name its clip if it has no name. */
const PROMPT_CHARACTERS = 200

type Row = {
  id: string
  prompt: string
  aspectRatio: AspectRatio
  hasClip: boolean
  bytes: number
  durationMs: number
  hasPoster: boolean
  regenerateCount: number
  completedAt: string | null
  createdAt: Date
}

/**
 * Reads the clips of a user's own videos in the order of their ids, or the oldest first. An id that
 * is given twice counts once. Returns null if one of the videos does not exist, is deleted or
 * belongs to another user.
 */
export async function findChosen(
  db: Executor,
  userId: string,
  { ids: given, sort }: { ids: readonly string[]; sort: 'as given' | 'oldest first' },
): Promise<Chosen | null> {
  const ids = [...new Set(given)]
  if (!ids.every(isId)) return null
  const rows = await db.rows<Row>(sql`
    select id, coalesce(clip_name, left(prompt, ${PROMPT_CHARACTERS}::int)) as prompt, aspect_ratio as "aspectRatio",
      file_key is not null as "hasClip", coalesce(file_bytes, 0)::int as bytes,
      coalesce(duration_ms, 0) as "durationMs", poster_key is not null as "hasPoster",
      regenerate_count as "regenerateCount", completed_at::text as "completedAt",
      created_at as "createdAt"
    from videos where id = any(${ids}::uuid[]) and user_id = ${userId} and deleted_at is null
    order by created_at, id`)
  if (rows.length < ids.length) return null
  const place = new Map(ids.map((id, index) => [id, index]))
  const placeOf = (row: Row) => place.get(row.id) ?? 0
  if (sort === 'as given') rows.sort((one, other) => placeOf(one) - placeOf(other))
  const clips = rows.filter(({ hasClip }) => hasClip).map(toClip)
  return { clips, unfinished: rows.length - clips.length }
}

const toClip = (row: Row): ChosenClip => ({
  id: row.id,
  prompt: row.prompt,
  aspectRatio: row.aspectRatio,
  bytes: row.bytes,
  durationMs: row.durationMs,
  hasPoster: row.hasPoster,
  version: mediaVersion(row),
})
