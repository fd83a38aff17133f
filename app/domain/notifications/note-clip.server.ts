import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../context'
import { clipFileName, numberVideosOf } from '../videos/file-names.server'
import { clipMessage, type DeliveredClip } from './messages'
import { addMessages } from './outbox.server'

type Row = Omit<DeliveredClip, 'file' | 'at'> & { userId: string; number: number | null; at: Date }

/**
 * Writes the call about a delivered clip, if its owner's webhook asked for it. A clip that was deleted
 * meanwhile is not told. A listener of `clip.delivered`.
 */
export async function noteClipForUser(tx: Tx, videoId: string, deps: Deps): Promise<void> {
  const { settings } = deps
  if (!settings.notifications.webhook) return
  const found = await findClip(tx, videoId)
  if (!found) return
  const { userId, at, ...clip } = found
  const number = clip.number ?? (await numberOf(tx, found))
  const id = newId()
  const told = { ...clip, file: clipFileName({ ...clip, number }), at: at.toISOString() }
  const message = clipMessage(settings, told, id)
  await addMessages(deps, tx, [{ ...message, id, userId, channel: 'webhook' }])
}

const findClip = (tx: Tx, videoId: string) =>
  tx.row<Row>(sql`
    select videos.id as "videoId", videos.user_id as "userId", batch_id as "batchId", number, clip_name as name, prompt,
      coalesce(completed_at, engine_now()) as at
    from videos
      join users on users.id = videos.user_id
      join notification_webhooks on notification_webhooks.user_id = videos.user_id
      left join video_numbers on video_id = videos.id
    where videos.id = ${videoId} and videos.status = 'completed' and videos.deleted_at is null
      and users.is_active and users.deleted_at is null and tells_clips and stopped_at is null`)

/** Numbers what the user has, such as all videos of a batch with its first clip. */
async function numberOf(tx: Tx, { userId, videoId }: Row): Promise<number> {
  await numberVideosOf(tx, [userId])
  const { number } = await tx.one<{ number: number }>(
    sql`select number from video_numbers where video_id = ${videoId}`,
  )
  return number
}
