import sql, { type Sql } from 'sql-template-tag'

/**
 * Condition for the videos of a batch: those of its prompts. They stay its videos when another batch
 * (retries, or an administrator's regeneration) orders them again; they are then videos of both.
 */
export const isInBatch = (batchId: Sql): Sql =>
  sql`(videos.batch_id = ${batchId} or videos.home_batch_id = ${batchId})`

/** The place of a video among the prompts of a batch that it is in, from 1. */
export const placeInBatch = (batchId: Sql): Sql =>
  sql`(case when videos.home_batch_id = ${batchId} then videos.home_position else videos.batch_position end)`

/**
 * The changes to a video that another batch orders, for `update videos set`: its first batch keeps
 * it. Whatever writes `batch_id` of an existing video must write these as well.
 */
export const KEEP_HOME = sql`home_batch_id = coalesce(videos.home_batch_id, videos.batch_id),
  home_position = coalesce(videos.home_position, videos.batch_position)`
