import sql from 'sql-template-tag'
import { ORDER_FIELDS, orderFieldsOf } from './order-columns.server'
import { VIDEO_LIMITS } from './rules'
import type { CardView, VideoView } from './types'

// The columns of a shown video as they are stored. What a page or call adds (addresses of files,
// ISO times) is made here from the rows: building JSON in SQL costs the database four times as much
// as sending the rows.

const SHARED = sql`${ORDER_FIELDS}, videos.status, videos.error_message as "errorMessage",
  coalesce(videos.home_batch_id, videos.batch_id) as "batchId",
  videos.regenerate_count as "regenerateCount",
  videos.regenerated_by_admin as "regeneratedByAdmin", videos.starred,
  videos.file_key is not null as "hasClip", videos.poster_key is not null as "hasPoster",
  videos.created_at::text as "createdAt", videos.completed_at::text as "completedAt"`

/** Selects an OwnVideoRow from `videos`. */
export const OWN_VIDEO_COLUMNS = sql`videos.id, videos.prompt, ${SHARED}, videos.model,
  videos.error_code as "errorCode"`

/** Selects a VideoRow from `videos` joined to `users`. */
export const VIDEO_COLUMNS = sql`${OWN_VIDEO_COLUMNS}, users.username`

/** Selects a CardRow from `videos` joined to `users`. */
export const CARD_COLUMNS = sql`
  videos.id, left(videos.prompt, ${VIDEO_LIMITS.cardPromptCharacters}::int) as prompt,
  length(videos.prompt) > ${VIDEO_LIMITS.cardPromptCharacters}::int as "isCut",
  ${SHARED}, users.username`

/** What a row has in place of the view's addresses and owner. */
type Stored = { hasClip: boolean; hasPoster: boolean }
type RowOf<View> = Omit<View, 'videoUrl' | 'thumbnailUrl' | 'user'> & Stored
export type OwnVideoRow = RowOf<VideoView>
export type VideoRow = OwnVideoRow & { username: string }
export type CardRow = RowOf<CardView> & { username: string }

// Literals with every field: rest and spread of whole rows take five times as long, which long
// lists would feel.

/** Makes the view of a row whose owner has the given name. */
export const toVideo = (row: OwnVideoRow, username: string): VideoView => ({
  id: row.id,
  prompt: row.prompt,
  ...orderFieldsOf(row),
  status: row.status,
  model: row.model,
  videoUrl: row.hasClip ? `/media/${row.id}.mp4` : null,
  thumbnailUrl: row.hasPoster ? `/media/${row.id}.jpg` : null,
  errorMessage: row.errorMessage,
  errorCode: row.errorCode,
  batchId: row.batchId,
  regenerateCount: row.regenerateCount,
  regeneratedByAdmin: row.regeneratedByAdmin,
  starred: row.starred,
  createdAt: isoOf(row.createdAt),
  completedAt: row.completedAt === null ? null : isoOf(row.completedAt),
  user: { username },
})

/** Makes the view of a card's row. */
export const toCard = (row: CardRow): CardView => ({
  id: row.id,
  prompt: row.prompt,
  isCut: row.isCut,
  ...orderFieldsOf(row),
  status: row.status,
  videoUrl: row.hasClip ? `/media/${row.id}.mp4` : null,
  thumbnailUrl: row.hasPoster ? `/media/${row.id}.jpg` : null,
  errorMessage: row.errorMessage,
  batchId: row.batchId,
  regenerateCount: row.regenerateCount,
  regeneratedByAdmin: row.regeneratedByAdmin,
  starred: row.starred,
  createdAt: isoOf(row.createdAt),
  completedAt: row.completedAt === null ? null : isoOf(row.completedAt),
  user: { username: row.username },
})

const MILLISECONDS = '00:00:00.000'

/**
 * Converts a time as PostgreSQL writes it in our sessions (session.ts), such as
 * `2026-11-27 00:46:28.1+00`, to ISO 8601 with milliseconds.
 */
function isoOf(text: string): string {
  const clock = text.slice('YYYY-MM-DD '.length, -'+00'.length)
  return `${text.slice(0, 'YYYY-MM-DD'.length)}T${clock}${MILLISECONDS.slice(clock.length)}Z`
}
