import sql from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { AdminCtx } from '../../context'
import { isoText } from '../../iso-text.server'
import { findHold } from '../gallery/progress.server'
import type { Hold } from '../holds'
import type { AttemptState } from '../types'

/** One attempt at a video, with what the provider said. Its text has no secrets. */
export type VideoTry = {
  id: string
  at: string
  state: AttemptState
  provider: string
  fault: string | null
  message: string | null
  code: string | null
}

/** What administrators see of a video: why it waits, and its latest attempts, newest first. */
export type VideoRecord = { hold: Hold | null; tries: VideoTry[] }

const MOST = 10

/** Selects VideoTry from `attempts`. */
export const TRY_COLUMNS = sql`id, ${isoText(sql`created_at`)} as at, state, provider, fault,
  evidence ->> 'message' as message,
  coalesce(evidence ->> 'status', evidence ->> 'code') as code`

/** Reads the record of a video. It is empty for a video that does not exist. */
export async function getVideoRecord(ctx: AdminCtx, videoId: string): Promise<VideoRecord> {
  if (!isId(videoId)) return { hold: null, tries: [] }
  const [hold, tries] = await Promise.all([
    findHold(ctx, videoId),
    ctx.db.rows<VideoTry>(sql`
      select ${TRY_COLUMNS} from attempts where video_id = ${videoId} order by created_at desc, id desc limit ${MOST}`),
  ])
  return { hold, tries }
}
