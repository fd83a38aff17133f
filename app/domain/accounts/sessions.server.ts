import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { accountColumns } from './columns.server'
import type { Account } from './types'

/** A session lives this long after its last use (decision Q-49). */
export const SESSION_DAYS = 30

/** Who a session belongs to, and the database's time at which that was read. */
export type SignedIn = { account: Account; now: Date; lastSeenAt: Date }

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Starts a session and answers its token, which exists nowhere else: only its hash is stored. */
export async function startSession(
  db: Executor,
  { userId, userAgent }: { userId: string; userAgent: string | null },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db.run(sql`
    insert into sessions (id_hash, user_id, user_agent, created_at, last_seen_at, expires_at)
    values (${hashOf(token)}, ${userId}, ${userAgent?.slice(0, 200) ?? null},
      engine_now(), engine_now(), engine_now() + make_interval(days => ${SESSION_DAYS}))`)
  return token
}

/** The session's account, unless it ended, ran out, or the account was disabled or deleted. */
export async function findSignedIn(db: Executor, token: string): Promise<SignedIn | undefined> {
  const row = await db.row<Account & { now: Date; lastSeenAt: Date }>(sql`
    select ${accountColumns}, engine_now() as now, sessions.last_seen_at as "lastSeenAt"
    from sessions join users on users.id = sessions.user_id
    where sessions.id_hash = ${hashOf(token)} and sessions.expires_at > engine_now()
      and users.is_active and users.deleted_at is null`)
  if (!row) return undefined
  const { now, lastSeenAt, ...account } = row
  return { account, now, lastSeenAt }
}

/** Notes that a person is there and moves the session's end. Callers do so at most once a minute. */
export async function touchSession(db: Executor, token: string): Promise<void> {
  await db.run(sql`
    update sessions set last_seen_at = engine_now(),
      expires_at = engine_now() + make_interval(days => ${SESSION_DAYS})
    where id_hash = ${hashOf(token)}`)
}

export async function endSession(db: Executor, token: string): Promise<void> {
  await db.run(sql`delete from sessions where id_hash = ${hashOf(token)}`)
}

/** Ends the user's sessions, all of them or all but the one whose token is given. */
export async function endSessionsOf(
  db: Executor,
  userId: string,
  exceptToken?: string,
): Promise<void> {
  const kept = exceptToken === undefined ? null : hashOf(exceptToken)
  await db.run(sql`
    delete from sessions where user_id = ${userId} and (${kept}::bytea is null or id_hash <> ${kept}::bytea)`)
}
