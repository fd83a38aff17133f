import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { noteEndOfRegeneration } from '../batches/note-end-of-regeneration.server'
import type { Deps } from '../context'

/**
 * Hears of one event. It writes rows and adds jobs through `tx`, the transaction that removes the
 * event, and so takes effect exactly once. Whatever calls another service does so in a job of its
 * own, which the queue retries alone. The subject may have been deleted meanwhile.
 */
type Listener = (tx: Tx, subjectId: string, deps: Deps) => Promise<void>

type EventKind = 'batch.ended'

/** Who hears of what. Triggers in the database write the events (prisma/functions/endings.sql). */
const LISTENERS: Record<EventKind, readonly Listener[]> = {
  'batch.ended': [noteEndOfRegeneration],
}

const KINDS = Object.keys(LISTENERS)
const isKind = (kind: string): kind is EventKind => Object.hasOwn(LISTENERS, kind)

/**
 * Hands an event to its listeners and removes it, in one transaction: if the process is killed or a
 * listener throws, the event stays and its job is retried. An event of a kind that only a newer
 * version knows is left for that version.
 */
export async function hearEvent(deps: Deps, { eventId }: { eventId: string }): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const event = await tx.row<{ kind: string; subjectId: string }>(sql`
      delete from events where id = ${eventId} and kind = any(${KINDS}::text[])
      returning kind, subject_id as "subjectId"`)
    if (!event || !isKind(event.kind)) return
    for (const listener of LISTENERS[event.kind]) await listener(tx, event.subjectId, deps)
  })
}

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
