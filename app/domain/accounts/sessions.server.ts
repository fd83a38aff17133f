import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Db, Executor } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { auditAccess } from '../audit.server'
import { accountColumns } from './columns.server'
import { requireOwnPassword } from './confirm-password.server'
import type { Account } from './types'

/** A session lives this long after its last use (decision Q-49). */
export const SESSION_DAYS = 30
/** However often it is used, it ends after so long. */
const LONGEST_DAYS = 90
/** Signing in, or giving the password again, proves for so long who is there. */
const PROOF_MINUTES = 15

const endFrom = (start: Sql): Sql => sql`
  least(engine_now() + make_interval(days => ${SESSION_DAYS}), ${start} + make_interval(days => ${LONGEST_DAYS}))`

/** What is known of the browser that a session is started for, and the session it presented, if any. */
export type NewSession = { userId: string; userAgent: string | null; presented: string | null }

/** Who a session belongs to, and the database's time at which that was read. */
export type SignedIn = {
  account: Account
  /** Names the session; it stays when the token changes. */
  sessionId: string
  now: Date
  lastSeenAt: Date
  /** An administrator who signs in with the password alone. */
  lacksSecondFactor: boolean
  /** The password was given in this session a short while ago. */
  hasProof: boolean
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Starts a session and answers its token, which exists nowhere else: only its hash is stored. The
 * presented session ends, whoever it belongs to: a browser has one, and an id is never used on.
 */
export async function startSession(
  db: Executor,
  { userId, userAgent, presented }: NewSession,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const replaced = presented === null ? null : hashOf(presented)
  await db.run(sql`
    with ended as (delete from sessions where id_hash = ${replaced}::bytea)
    insert into sessions (id_hash, user_id, user_agent, created_at, last_seen_at, expires_at)
    values (${hashOf(token)}, ${userId}, ${userAgent?.slice(0, 200) ?? null},
      engine_now(), engine_now(), ${endFrom(sql`engine_now()`)})`)
  return token
}

/** The session's account, unless it ended, ran out, or the account was disabled or deleted. */
export async function findSignedIn(db: Executor, token: string): Promise<SignedIn | undefined> {
  const row = await db.row<Account & Omit<SignedIn, 'account'>>(sql`
    select ${accountColumns}, engine_now() as now, sessions.last_seen_at as "lastSeenAt",
      sessions.id as "sessionId",
      users.role = 'admin' and not exists (select 1 from second_factors
        where second_factors.user_id = users.id and confirmed_at is not null) as "lacksSecondFactor",
      coalesce(sessions.confirmed_at, sessions.created_at)
        > engine_now() - make_interval(mins => ${PROOF_MINUTES}) as "hasProof"
    from sessions join users on users.id = sessions.user_id
    where sessions.id_hash = ${hashOf(token)} and sessions.expires_at > engine_now()
      and sessions.created_at > engine_now() - make_interval(days => ${LONGEST_DAYS})
      and users.is_active and users.deleted_at is null`)
  if (!row) return undefined
  const { now, lastSeenAt, sessionId, lacksSecondFactor, hasProof, ...account } = row
  return { account, now, lastSeenAt, sessionId, lacksSecondFactor, hasProof }
}

/** Notes that a person is there and moves the session's end. Callers do so at most once a minute. */
export async function touchSession(db: Executor, token: string): Promise<void> {
  await db.run(sql`
    update sessions set last_seen_at = engine_now(),
      expires_at = ${endFrom(sql`created_at`)}
    where id_hash = ${hashOf(token)}`)
}

/** Notes that the session's user has just given what signing in takes. */
export async function noteProof(db: Executor, token: string): Promise<void> {
  await db.run(sql`
    update sessions set confirmed_at = engine_now() where id_hash = ${hashOf(token)}`)
}

/**
 * Gives a session whose user has just given the password again a new token, which it answers; a copy of
 * the old one ends with it (OWASP ASVS 5, 7.2.4). Null where the old one has ended meanwhile.
 */
export async function renewSession(db: Executor, token: string): Promise<string | null> {
  const renewed = randomBytes(32).toString('base64url')
  const count = await db.run(sql`
    update sessions set id_hash = ${hashOf(renewed)} where id_hash = ${hashOf(token)}`)
  return count === 1 ? renewed : null
}

/** Ends the session of a token, where there is one. */
export async function endSession(db: Db, token: string): Promise<void> {
  await db.prisma(({ session }) => session.deleteMany({ where: { idHash: hashOf(token) } }))
}

/** Ends the user's sessions, all of them or all but the one whose token is given; how many. */
export async function endSessionsOf(
  db: Executor,
  userId: string,
  exceptToken?: string,
): Promise<number> {
  const kept = exceptToken === undefined ? null : hashOf(exceptToken)
  return db.run(sql`
    delete from sessions where user_id = ${userId} and (${kept}::bytea is null or id_hash <> ${kept}::bytea)`)
}

/** A session as its owner sees it. */
export type OwnSession = {
  /** Names it in a form; nobody can sign in with it. */
  id: string
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  isThis: boolean
}

/** The page shows so many; "End the others" ends all. */
export const SESSIONS_SHOWN = 50

/** Where the user is signed in: this browser first, then the others by their last use. */
export async function listSessions(
  { db, actor }: UserCtx,
  thisToken: string,
): Promise<{ sessions: OwnSession[]; count: number }> {
  const rows = await db.rows<OwnSession & { count: number }>(sql`
    select id, user_agent as "userAgent", created_at as "createdAt",
      last_seen_at as "lastSeenAt", id_hash = ${hashOf(thisToken)} as "isThis",
      (count(*) over ())::int as count
    from sessions where user_id = ${actor.id} and expires_at > engine_now()
    order by "isThis" desc, last_seen_at desc, id limit ${SESSIONS_SHOWN}`)
  const sessions = rows.map(({ count: _, ...session }) => session)
  return { sessions, count: rows[0]?.count ?? 0 }
}

/** What ends sessions: the password, so that an open browser alone cannot, and which ones. */
export type Ending = { ownPassword: string; which: readonly string[] | 'others' }

/**
 * Ends sessions of the user, never the one whose token is given; answers how many, and that session's new
 * token. Throws BAD_INPUT for a wrong password, RATE_LIMITED, NOT_FOUND when what was chosen has ended
 * already, and NOT_SIGNED_IN when the session itself has: of two that end each other, one does.
 */
export async function endOwnSessions(
  ctx: UserCtx,
  { ownPassword, which }: Ending,
  thisToken: string,
): Promise<{ count: number; renewed: string }> {
  const { db, actor } = ctx
  await requireOwnPassword(ctx, {
    ...{ password: ownPassword, field: 'ownPassword', problem: 'This is not your password' },
  })
  return db.transaction(async (tx) => {
    const renewed = await renewSession(tx, thisToken)
    if (renewed === null) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
    const count =
      which === 'others'
        ? await endSessionsOf(tx, actor.id, renewed)
        : await tx.run(sql`
            delete from sessions where user_id = ${actor.id} and id_hash <> ${hashOf(renewed)}
              and id = any(${which.filter(isId)}::uuid[])`)
    if (count === 0) throw new AppError('NOT_FOUND', 'These sessions have ended already')
    await auditAccess(tx, { action: 'auth.end-sessions', user: actor, isUser: true, count })
    return { count, renewed }
  })
}
