import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { NewJob } from '~/platform/queue/port'
import type { Deps } from '../context'
import type { Message } from './messages'
import type { Recipient, ReminderName } from './types'

type NewMessage = Recipient &
  Message & { id: string } & ({ batchId?: string } | { reminder: ReminderName; ofEnd: string })

/** Stores messages, and adds the jobs that send them. A batch, and a reminder, have at most one for each channel. */
export async function addMessages(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return
  await tx.run(sql`
    insert into notifications (id, user_id, channel, batch_id, reminder, of_end, title, body, at, state, next_try_at)
    select id, "userId", channel, "batchId", reminder, "ofEnd", title, body, engine_now(), 'waiting', engine_now()
    from json_to_recordset(${JSON.stringify(messages)}::json) as message(id uuid, "userId" uuid,
      channel notification_channel, "batchId" uuid, reminder text, "ofEnd" timestamptz, title text, body text)
    on conflict do nothing`)
  const jobs = messages.map((message) => sendSoon(message))
  await queue.add(tx, [...new Map(jobs.map((job) => [job.key, job])).values()])
}

/**
 * Returns the one job that sends what waits for a recipient. Alarms have a runner of their own (task-list.ts),
 * so that they never wait behind a slow receiver of a user.
 */
export const sendSoon = ({ userId, channel }: Recipient, delayMs = 0): NewJob =>
  userId === null
    ? { name: 'alarms.send', payload: { channel }, key: `alarm ${channel}`, delayMs }
    : {
        name: 'notifications.send',
        payload: { userId, channel },
        key: `notification ${channel} ${userId}`,
        delayMs,
      }
