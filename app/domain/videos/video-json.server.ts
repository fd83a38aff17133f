import sql from 'sql-template-tag'
import { VIDEO_LIMITS } from './rules'

/** How instants are shown: ISO 8601 in UTC with milliseconds, like Date.toISOString. */
const ISO = sql`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/**
 * A row of `videos` joined to `users` as a VideoView. PostgreSQL writes the JSON, which is faster
 * than turning rows into objects first; a test compares it with the type.
 */
export const videoJson = sql`json_build_object(
  'id', videos.id,
  'prompt', videos.prompt,
  'negativePrompt', videos.negative_prompt,
  'aspectRatio', videos.aspect_ratio,
  'status', videos.status,
  'model', videos.model,
  'videoUrl', '/media/' || case when videos.file_key is not null then videos.id end || '.mp4',
  'thumbnailUrl', '/media/' || case when videos.poster_key is not null then videos.id end || '.jpg',
  'errorMessage', videos.error_message,
  'errorCode', videos.error_code,
  'regenerateCount', videos.regenerate_count,
  'regeneratedByAdmin', videos.regenerated_by_admin,
  'batchId', videos.batch_id,
  'createdAt', to_char(videos.created_at at time zone 'UTC', ${ISO}),
  'completedAt', to_char(videos.completed_at at time zone 'UTC', ${ISO}),
  'user', json_build_object('username', users.username))`

/** A row of `videos` joined to `users` as a CardView. */
export const cardJson = sql`json_build_object(
  'id', videos.id,
  'prompt', left(videos.prompt, ${VIDEO_LIMITS.cardPromptCharacters}::int),
  'isCut', length(videos.prompt) > ${VIDEO_LIMITS.cardPromptCharacters}::int,
  'negativePrompt', videos.negative_prompt,
  'aspectRatio', videos.aspect_ratio,
  'status', videos.status,
  'videoUrl', '/media/' || case when videos.file_key is not null then videos.id end || '.mp4',
  'thumbnailUrl', '/media/' || case when videos.poster_key is not null then videos.id end || '.jpg',
  'errorMessage', videos.error_message,
  'regenerateCount', videos.regenerate_count,
  'regeneratedByAdmin', videos.regenerated_by_admin,
  'createdAt', to_char(videos.created_at at time zone 'UTC', ${ISO}),
  'completedAt', to_char(videos.completed_at at time zone 'UTC', ${ISO}),
  'user', json_build_object('username', users.username))`
