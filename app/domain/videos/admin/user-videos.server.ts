import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import type { AdminCtx } from '../../context'
import { isoText } from '../../iso-text.server'
import { writeCursor } from '../cursor'
import { hasWords } from '../found-by.server'
import { holdOf } from '../gallery/progress.server'
import type { Hold } from '../holds'
import { STATUS_FILTER } from '../states.server'
import type { VideoStatus } from '../types'
import { allVideosQuery } from './all-videos-schemas'
import { TRY_COLUMNS, type VideoTry } from './video-tries.server'

const SHOWN = 10
const PROMPT_CHARACTERS = 300

/** Query of a customer's page: state and words of the videos, and where the list continues. */
export const userVideosQuery = z.object({
  status: allVideosQuery.shape.status,
  words: allVideosQuery.shape.words,
  after: allVideosQuery.shape.after,
})
export type UserVideosQuery = z.output<typeof userVideosQuery>

/** A video on its owner's page for administrators. `errorMessage` and `hold` are what the owner reads. */
export type UserVideo = {
  id: string
  prompt: string
  status: VideoStatus
  createdAt: string
  errorMessage: string | null
  hold: Hold | null
  lastTry: VideoTry | null
}

/** Lists a user's videos, newest first. `next` is the cursor for the following ones. */
export async function listVideosOf(
  ctx: AdminCtx,
  userId: string,
  { status, words, after }: UserVideosQuery,
): Promise<{ videos: UserVideo[]; next: string | null }> {
  const rows = await ctx.db.rows<UserVideo>(sql`
    select id, left(prompt, ${PROMPT_CHARACTERS}::int) as prompt, status,
      ${isoText(sql`created_at`)} as "createdAt", error_message as "errorMessage",
      case when status in ('pending', 'generating') then ${holdOf(ctx, sql`shown.id`)} end as hold,
      (select row_to_json(latest) from (
        select ${TRY_COLUMNS} from attempts where video_id = shown.id
        order by created_at desc, attempts.id desc limit 1) as latest) as "lastTry"
    from (select * from videos where user_id = ${userId} and deleted_at is null
      ${STATUS_FILTER[status]} ${words === '' ? empty : sql`and ${hasWords(words)}`}
      ${after ? sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : empty}
      order by created_at desc, id desc limit ${SHOWN + 1}) as shown
    order by created_at desc, id desc`)
  const videos = rows.slice(0, SHOWN)
  const last = videos.at(-1)
  const next = rows.length > SHOWN && last ? writeCursor({ at: last.createdAt, id: last.id }) : null
  return { videos, next }
}
