import sql, { type Sql } from 'sql-template-tag'

/**
 * Condition for the videos of a collection. Deleted ones are among them until the trash ends. An array,
 * so that they are found by their ids: as a join PostgreSQL reads all videos of a user who has many.
 */
export const isInCollection = (collectionId: Sql): Sql =>
  sql`videos.id = any(array(select video_id from collection_videos where collection_id = ${collectionId}))`

/** The order of adding: when a video was put into a collection. Those added at once follow by id. */
export const addedToCollection = (collectionId: Sql): Sql =>
  sql`(select added_at from collection_videos where collection_id = ${collectionId} and video_id = videos.id)`
