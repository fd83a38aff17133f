import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import type { AccessAction, AuditEntry, AuditFacts } from './activity/types'
import type { AdminCtx } from './context'

/** Fields whose value never reaches the audit log; that they changed does. */
const SECRET = /password|secret|hash|cipher/i

/**
 * Notes what an administrator did, in the transaction that does it: an entry exists exactly when the
 * change does. Any area may call it. Several entries are one statement.
 */
export async function writeAudit(
  tx: Tx,
  { actor }: AdminCtx,
  entries: AuditEntry | readonly AuditEntry[],
): Promise<void> {
  const list: readonly AuditEntry[] = 'action' in entries ? [entries] : entries
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
    from json_to_recordset(${JSON.stringify(rows)}::json) as entry(id uuid, action text, kind text,
      subject uuid, name text, before jsonb, after jsonb, count int)`)
}

function cleaned(facts: AuditFacts | undefined): AuditFacts | null {
  if (!facts) return null
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, SECRET.test(name) ? 'changed' : value]),
  )
}

/** Somebody and an account: `user` is whom the entry is about, also where nobody has proved to be that user. */
export type Access = {
  action: AccessAction
  user: { id: string; username: string } | null
  /** Whether the user has signed in; else the entry is by somebody. */
  isUser: boolean
  address?: string
  count?: number
}

/** One lock-out is one entry, however often somebody knocks meanwhile. */
const LOCKED_FOR = sql`interval '15 minutes'`

/**
 * Notes what happened to the way into an account. A name that is nobody's is not written down: people
 * type their password there by mistake.
 */
export async function auditAccess(
  db: Executor,
  { action, user, isUser, address, count = 1 }: Access,
): Promise<void> {
  const after = address === undefined ? null : JSON.stringify({ address })
  await db.run(sql`
    insert into trail_entries (id, at, actor_id, actor_name, action, subject_kind, subject_id,
      subject_name, after, count)
    select ${newId()}, engine_now(), ${isUser ? (user?.id ?? null) : null}::uuid,
      ${isUser ? (user?.username ?? SOMEBODY) : SOMEBODY}, ${action},
      ${user === null ? null : 'user'}, ${user?.id ?? null}::uuid, ${user?.username ?? null},
      ${after}::jsonb, ${count}::int
    where ${action} <> 'auth.locked' or not exists (
      select 1 from trail_entries where action = 'auth.locked' and at > engine_now() - ${LOCKED_FOR}
        and subject_id is not distinct from ${user?.id ?? null}::uuid
        and after is not distinct from ${after}::jsonb)`)
}

/** Who acts in an entry where nobody has signed in. */
const SOMEBODY = 'somebody'
