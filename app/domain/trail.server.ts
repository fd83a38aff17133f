import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Deed, TrailFacts } from './activity/types'
import type { AdminCtx } from './context'

/** Fields whose value never reaches the trail; that they changed does. */
const SECRET = /password|secret|hash|cipher/i

/**
 * Notes what an administrator did, in the transaction that does it: an entry exists exactly when the
 * deed does. Any area may call it. Several deeds are one statement.
 */
export async function noteInTrail(
  tx: Tx,
  { actor }: AdminCtx,
  deeds: Deed | readonly Deed[],
): Promise<void> {
  const list: readonly Deed[] = 'action' in deeds ? [deeds] : deeds
  if (list.length === 0) return
  const rows = list.map(({ action, subject, before, after, count = 1 }) => ({
    ...{ id: newId(), action, count, before: cleaned(before), after: cleaned(after) },
    ...{ kind: subject?.kind ?? null, subject: subject?.id ?? null, name: subject?.name ?? null },
  }))
  await tx.run(sql`
    insert into trail_entries (id, at, actor_id, actor_name, action, subject_kind, subject_id,
      subject_name, before, after, count)
    select id, engine_now(), ${actor.id}, ${actor.username}, action, kind, subject, name, before,
      after, count
    from json_to_recordset(${JSON.stringify(rows)}::json) as deed(id uuid, action text, kind text,
      subject uuid, name text, before jsonb, after jsonb, count int)`)
}

function cleaned(facts: TrailFacts | undefined): TrailFacts | null {
  if (!facts) return null
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, SECRET.test(name) ? 'changed' : value]),
  )
}
