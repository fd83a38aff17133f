import sql, { type Sql } from 'sql-template-tag'
import type { Ctx } from '../context'
import { FAILURE_TEXT } from './rules'

/** The changes to a video whose next generation is ordered, for `update videos set`. */
export const nextGeneration = (
  { provider, requestId }: Pick<Ctx, 'provider' | 'requestId'>,
  by: 'owner' | 'admin',
): Sql => sql`
  status = 'pending', generation = generation + 1, regenerate_count = regenerate_count + 1,
  regenerated_by_admin = ${by === 'admin'}, error_code = null, error_message = null,
  model = ${provider.model}, request_id = ${requestId}`

/**
 * The changes to a video whose waiting generation is cancelled, for `update videos set`. A video with
 * an earlier clip keeps it and is completed, with the message `kept`. Only a first generation fails.
 */
export const cancelledGeneration = (kept: string | null): Sql => sql`
  status = (case when file_key is null then 'error' else 'completed' end)::video_status,
  error_code = case when file_key is null then 'cancelled' end,
  error_message = case when file_key is null then ${FAILURE_TEXT.cancelled}::text else ${kept}::text end`
