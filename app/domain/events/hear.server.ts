import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { noteClaim, noteLostToken, noteNewDevice, noteSpentToken } from '../alarms/notices.server'
import { noteEndOfRegeneration } from '../batches/note-end-of-regeneration.server'
import type { Deps } from '../context'
import { noteClipForUser } from '../notifications/note-clip.server'
import { noteEndForUser } from '../notifications/note-end.server'

/**
 * Hears of one event. It writes rows and adds jobs through `tx`, the transaction that notes that it has
 * heard, and so takes effect exactly once. Whatever calls another service does so in a job of its own,
 * which the queue retries alone. The subject may have been deleted meanwhile.
 */
type Listener = (tx: Tx, subjectId: string, deps: Deps) => Promise<void>

/** By a name that events which are not heard by all keep: it is never changed. */
export type Listeners = Readonly<Record<string, Listener>>

type EventKind =
  'batch.ended' | 'key.lost' | 'key.spent' | 'admin.new-device' | 'claim.waiting' | 'clip.delivered'

/**
 * Who hears of what. Triggers in the database, or `write_event` in a statement, write the events
 * (prisma/functions/endings.sql).
 */
const LISTENERS: Record<EventKind, Listeners> = {
  'batch.ended': {
    'regeneration.end': noteEndOfRegeneration,
    'notifications.batch': noteEndForUser,
  },
  'key.lost': { 'alarm.key-lost': noteLostToken },
  'key.spent': { 'alarm.credits': noteSpentToken },
  'admin.new-device': { 'alarm.sign-in': noteNewDevice },
  'claim.waiting': { 'alarm.claim': noteClaim },
  'clip.delivered': { 'notifications.clip': noteClipForUser },
}

const KINDS = Object.keys(LISTENERS)
const isKind = (kind: string): kind is EventKind => Object.hasOwn(LISTENERS, kind)

type Heard = { eventId: string }

/**
 * Hands an event to its listeners, each in a transaction of its own, and removes it when all have
 * heard. If one throws, the others hear all the same; the job fails, and its retries hand the event
 * to that one alone. The same holds if the process is killed. An event of a kind that only a newer
 * version knows is left for that version.
 */
export async function hearEvent(
  deps: Deps,
  { eventId }: Heard,
  all: Partial<Record<EventKind, Listeners>> = LISTENERS,
): Promise<void> {
  const event = await deps.db.row<{ kind: string }>(
    sql`select kind from events where id = ${eventId}`,
  )
  if (!event || !isKind(event.kind)) return
  const listeners = Object.entries(all[event.kind] ?? {})
  const problems: unknown[] = []
  for (const named of listeners) {
    await hearAlone(deps, eventId, named).catch((error: unknown) => problems.push(error))
  }
  if (problems.length > 0) {
    throw new AggregateError(
      problems,
      `${problems.length} of ${listeners.length} did not hear of ${event.kind}`,
    )
  }
  await deps.db.run(sql`delete from events where id = ${eventId}`)
}

/** Hands an event to one listener, unless it has heard of it. */
const hearAlone = (deps: Deps, eventId: string, [name, listener]: [string, Listener]) =>
  deps.db.transaction(async (tx) => {
    const event = await tx.row<{ subjectId: string }>(sql`
      update events set heard_by = heard_by || ${name}::text
      where id = ${eventId} and ${name}::text <> all(heard_by) returning subject_id as "subjectId"`)
    if (event) await listener(tx, event.subjectId, deps)
  })

/** Adds the jobs of events that were lost. Returns how many. */
export async function sweepEvents({ db, queue }: Pick<Deps, 'db' | 'queue'>): Promise<number> {
  return db.transaction(async (tx) => {
    const unheard = await tx.rows<{ eventId: string }>(sql`
      select id as "eventId" from events
      where at < engine_now() - interval '30 seconds' and kind = any(${KINDS}::text[])
      order by at limit 500`)
    await queue.add(
      tx,
      unheard.map(({ eventId }) => ({
        name: 'events.hear',
        payload: { eventId },
        key: `event ${eventId}`,
      })),
    )
    return unheard.length
  })
}
