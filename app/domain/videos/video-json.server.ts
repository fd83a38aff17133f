import sql, { type Sql } from 'sql-template-tag'
import { isoText } from '../iso-text.server'
import { ORDER_FIELDS } from './order-columns.server'
import { VIDEO_LIMITS } from './rules'

// PostgreSQL builds the JSON, which is faster than converting rows to objects first. A test
// compares it with the types. Using row_to_json with columns instead of name/value pairs is a third
// faster for long lists.

const MEDIA = sql`
  '/media/' || case when videos.file_key is not null then videos.id end || '.mp4' as "videoUrl",
  '/media/' || case when videos.poster_key is not null then videos.id end || '.jpg' as "thumbnailUrl"`

const REST = sql`
  videos.regenerate_count as "regenerateCount",
  videos.regenerated_by_admin as "regeneratedByAdmin",
  ${isoText(sql`videos.created_at`)} as "createdAt",
  ${isoText(sql`videos.completed_at`)} as "completedAt",
  json_build_object('username', users.username) as "user"`

const asJson = (columns: Sql): Sql =>
  sql`(select row_to_json(shown) from (select ${columns}) as shown)`

/** Builds the VideoView of a row of `videos` joined to `users`. */
export const videoJson = asJson(sql`
  videos.id, videos.prompt, ${ORDER_FIELDS}, videos.status, videos.model, ${MEDIA},
  videos.error_message as "errorMessage", videos.error_code as "errorCode",
  videos.batch_id as "batchId", ${REST}`)

/** Builds the CardView of a row of `videos` joined to `users`. */
export const cardJson = asJson(sql`
  videos.id, left(videos.prompt, ${VIDEO_LIMITS.cardPromptCharacters}::int) as prompt,
  length(videos.prompt) > ${VIDEO_LIMITS.cardPromptCharacters}::int as "isCut",
  ${ORDER_FIELDS}, videos.status, ${MEDIA}, videos.error_message as "errorMessage", ${REST}`)

/** Builds the JSON text of an array from the column `video` of a statement, in its order. */
export const arrayOf = (statement: Sql): Sql => sql`(
  select '[' || coalesce(string_agg(video::text, ','), '') || ']' from (${statement}) as listed)`
