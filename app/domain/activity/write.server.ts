import sql, { empty, type Sql } from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Executor, Tx } from '~/platform/db/port'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { isEnough, PROOF_OF, type ProofNeeded } from './proof-of'
import { ACCESS_ACTIONS, type AccessAction, type ActivityEntry, type ActivityFacts } from './types'

/** Fields whose values are never written to the activity log. Only the fact that they changed is. */
const SECRET = /password|secret|hash|cipher/i

/** The actor of what the product does by itself, such as replacing a dead token. */
export const BY_ITSELF = { actor: { id: null, username: 'the system' } } as const

/** The refusal of what needs a password that was given more lately. */
export function passwordNeeded(needed: ProofNeeded): AppError {
  const within = needed === 'today' ? '12 hours' : '15 minutes'
  const message = `This requires a password entered within the last ${within}. Sign in again.`
  return new AppError('PASSWORD_NEEDED', message)
}

/**
 * Records what an administrator or the product itself did, in the same transaction, so that an entry
 * exists if and only if the change does. May be called from any area. Several entries are written in
 * one statement. Throws PASSWORD_NEEDED for an action that needs a password given more lately
 * (`PROOF_OF`), which takes the change back: commands ask before, and what forgets to ask is caught here.
 */
export async function logActivity(
  tx: Tx,
  { actor }: AdminCtx | typeof BY_ITSELF,
  entries: ActivityEntry | readonly ActivityEntry[],
): Promise<void> {
  const list: readonly ActivityEntry[] = 'action' in entries ? [entries] : entries
  if (list.length === 0) return
  if ('proof' in actor) requireProofOfAll(actor, list)
  const rows = list.map(({ action, subject, before, after, count = 1 }) => ({
    id: newId(),
    action,
    count,
    before: cleaned(before),
    after: cleaned(after),
    kind: subject?.kind ?? null,
    subject: subject?.id ?? null,
    name: subject?.name ?? null,
  }))
  await tx.run(sql`
    insert into trail_entries (id, at, actor_id, actor_name, action, subject_kind, subject_id,
      subject_name, before, after, count)
    select id, engine_now(), ${actor.id}::uuid, ${actor.username}, action, kind, subject, name, before,
      after, count
    from json_to_recordset(${JSON.stringify(rows)}::json) as entry(id uuid, action text, kind text,
      subject uuid, name text, before jsonb, after jsonb, count int)`)
}

function requireProofOfAll({ proof }: AdminCtx['actor'], entries: readonly ActivityEntry[]): void {
  for (const { action } of entries) {
    const needed = isAccess(action) ? 'none' : PROOF_OF[action]
    if (!isEnough(proof, needed)) throw passwordNeeded(needed)
  }
}

const isAccess = (action: ActivityEntry['action']): action is AccessAction =>
  action in ACCESS_ACTIONS

function cleaned(facts: ActivityFacts | undefined): ActivityFacts | null {
  if (!facts) return null
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, SECRET.test(name) ? 'changed' : value]),
  )
}

/**
 * An access event. `user` is the account it concerns, even if nobody has signed in to that account.
 */
export type Access = {
  action: AccessAction
  user: { id: string; username: string } | null
  /** Whether the user has signed in. Otherwise the actor is recorded as SOMEBODY. */
  isUser: boolean
  address?: string
  /** Name of the API key that it concerns. */
  apiKey?: string
  count?: number
}

/**
 * Builds a CTE with a row if a lock-out is to be recorded now: at most once in 15 minutes per key.
 * The upsert decides, so that only one of several concurrent requests records it.
 */
const newLockOut = (key: string): Sql => sql`
  with new_lock_out as (
    insert into lock_outs (key, noted_at) values (${key}, engine_now())
    on conflict (key) do update set noted_at = excluded.noted_at
      where lock_outs.noted_at <= engine_now() - interval '15 minutes'
    returning 1)`

/**
 * Records an access event. Unknown usernames are not recorded, because users sometimes type their
 * password into that field by mistake.
 */
export async function logAccess(
  db: Executor,
  { action, user, isUser, address, apiKey, count = 1 }: Access,
): Promise<void> {
  const facts = { address, apiKey }
  // Absent facts are left out of the JSON.
  const after = address === undefined && apiKey === undefined ? null : JSON.stringify(facts)
  const isLockOut = action === 'auth.locked'
  await db.run(sql`
    ${isLockOut ? newLockOut(`${user?.id ?? ''} ${address ?? ''}`) : empty}
    insert into trail_entries (id, at, actor_id, actor_name, action, subject_kind, subject_id,
      subject_name, after, count)
    select ${newId()}, engine_now(), ${isUser ? (user?.id ?? null) : null}::uuid,
      ${isUser ? (user?.username ?? SOMEBODY) : SOMEBODY}, ${action},
      ${user === null ? null : 'user'}, ${user?.id ?? null}::uuid, ${user?.username ?? null},
      ${after}::jsonb, ${count}::int
    ${isLockOut ? sql`where exists (select from new_lock_out)` : empty}`)
}

/** Actor of entries without a signed-in user. */
const SOMEBODY = 'somebody'
