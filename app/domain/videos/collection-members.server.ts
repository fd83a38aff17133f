import sql, { type Sql } from 'sql-template-tag'

/**
 * Condition for the videos of a collection. Deleted ones are among them until the trash ends. An array,
 * so that they are found by their ids: as a join PostgreSQL reads all videos of a user who has many.
 */
export const isInCollection = (collectionId: Sql): Sql =>
  sql`videos.id = any(array(select video_id from collection_videos where collection_id = ${collectionId}))`

/**
 * The videos of a collection, each with its `number`: its place in the order of adding, from 1. Those in
 * the trash have none. A subquery, to be joined by `video_id`.
 */
export const placesIn = (collectionId: Sql): Sql => sql`(
  select video_id, (row_number() over (order by added_at, video_id))::int as number
  from collection_videos join videos on videos.id = video_id
  where collection_id = ${collectionId} and videos.deleted_at is null)`

/** The order of adding: when a video was put into a collection. Those added at once follow by id. */
export const addedToCollection = (collectionId: Sql): Sql =>
  sql`(select added_at from collection_videos where collection_id = ${collectionId} and video_id = videos.id)`
