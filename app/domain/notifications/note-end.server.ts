import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import { batchName } from '../batches/names'
import type { BatchKind } from '../batches/types'
import type { Deps, Settings } from '../context'
import { addMessages } from './outbox.server'
import { endMessage } from './messages'
import { channelsOf } from './targets.server'
import { NOTIFICATION_CHANNELS, type BatchEnd, type NotificationChannel } from './types'

type Row = Omit<BatchEnd, 'endedAt' | 'name'> & {
  userId: string
  name: string | null
  kind: BatchKind
  createdAt: Date
  endedAt: Date
  channels: NotificationChannel[]
}

/**
 * Writes a message for each channel of the batch's user, and adds the jobs that send them. A batch has at most one
 * message per channel, however often this runs. Not told: an administrator's regeneration, a batch of
 * which nothing was made or failed, and whoever cannot sign in. A listener of `batch.ended`.
 */
export async function noteEndForUser(tx: Tx, batchId: string, deps: Deps): Promise<void> {
  const { settings } = deps
  if (!NOTIFICATION_CHANNELS.some((channel) => settings.notifications[channel])) return
  const row = await readEnd(tx, batchId, settings.notifications)
  if (!row) return
  const { userId, channels, createdAt, endedAt, kind, ...rest } = row
  const named = { kind, name: row.name, createdAt: createdAt.toISOString() }
  const name = batchName(named, settings.timeZone)
  const { id, status, ready, failed, cancelled, inProgress, charged } = rest
  const counts = { ready, failed, cancelled, inProgress, charged }
  const end = { ...counts, id, name, status, endedAt: endedAt.toISOString() }
  await addMessages(
    deps,
    tx,
    channels.map((channel) => {
      const messageId = newId()
      const message = endMessage[channel](settings, end, messageId)
      return { ...message, id: messageId, userId, channel, batchId }
    }),
  )
}

const readEnd = (tx: Tx, batchId: string, offered: Settings['notifications']) =>
  tx.row<Row>(sql`
    select batches.id, batches.user_id as "userId", batches.name, batches.kind,
      case when batches.status = 'completed' then 'completed' else 'cancelled' end as status,
      batches.created_at as "createdAt",
      coalesce(batches.finished_at, engine_now()) as "endedAt", completed_videos as ready,
      failed_videos as failed, cancelled_videos as cancelled, charged_units as charged,
      greatest(0, total_videos - completed_videos - failed_videos - cancelled_videos) as "inProgress",
      ${channelsOf(offered)} as channels
    from batches join users on users.id = batches.user_id
    where batches.id = ${batchId} and kind <> 'regeneration' and users.is_active and users.deleted_at is null
      and (status = 'completed' and completed_videos + failed_videos > 0
        or status = 'cancelled' and completed_videos > 0)`)
