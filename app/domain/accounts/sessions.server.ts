import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Db, Executor, Tx } from '~/platform/db/port'
import type { PlanName } from '../plans/types'
import { RIGHTS, type PasswordAge, type Right, type UserCtx, type UserRole } from '../context'
import { AppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { databaseNow } from '../clock.server'
import { accountColumns } from './columns.server'
import { devicesAllowed } from './known-devices.server'
import { requireOwnPassword } from './confirm-password.server'
import type { Account, ProvenAccount, StartedSession } from './types'

/** A session expires this long after its last use (decision Q-49). */
export const SESSION_DAYS = 30
/** Maximum age of a session, however often it is used. */
const LONGEST_DAYS = 90
/** How long signing in, or entering the password again, counts as a recent proof of identity. */
const PROOF_MINUTES = 15
/** How long it counts as one of today: a working day. */
const PROOF_HOURS = 12

/** When the session's user last proved their identity. */
const proved = sql`coalesce(sessions.confirmed_at, sessions.created_at)`

const endFrom = (start: Sql): Sql => sql`
  least(engine_now() + make_interval(days => ${SESSION_DAYS}), ${start} + make_interval(days => ${LONGEST_DAYS}))`

/**
 * The account as it was when its user proved their identity, the browser for which a session is
 * started, and the session token it presented, if any.
 */
export type NewSession = {
  account: Pick<ProvenAccount, 'id' | 'accessVersion'>
  userAgent: string | null
  /** The id in the browser's device cookie. */
  deviceId: string | null
  presented: string | null
}

/** A session that is valid now, with its account. `now` is the database's time. */
export type SignedIn = {
  account: Account
  /** Identifies the session. It does not change when the token changes. */
  sessionId: string
  now: Date
  lastSeenAt: Date
  /** Whether the account has a second factor: what opens accounts asks for a code as well. */
  hasSecondFactor: boolean
  /** When the password was last given in this session. */
  proof: PasswordAge
  /** What an editor may do for the administrators. Administrators may do all of it. */
  rights: readonly Right[]
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Starts a session, and ends the oldest ones beyond what the account's plan allows. Only a hash of its token
 * is stored. Deletes the presented session, whichever user it belongs to, so that a browser has one session
 * and session ids are never reused. Throws CONFLICT if the password, the role or the second factor was
 * changed since the account was read: the change ended all sessions, and this one must not outlive it.
 */
export async function startSession(
  tx: Tx,
  { account, userAgent, deviceId, presented }: NewSession,
): Promise<StartedSession> {
  const { id } = account
  const token = randomBytes(32).toString('base64url')
  const replaced = presented === null ? null : hashOf(presented)
  // A change that ends all sessions locks the account first as well. So either the session starts first and
  // the change deletes it, or the change comes first and the session is refused. Of two sign-ins the second
  // one sees the session of the first.
  const proved = await tx.row<{ role: UserRole; plan: PlanName | null }>(sql`
    select role, plan from users where id = ${id} and access_version = ${account.accessVersion}
    for no key update`)
  if (!proved)
    throw new AppError('CONFLICT', 'This account was changed a moment ago. Sign in again.')
  await tx.run(sql`
    with ended as (delete from sessions where id_hash = ${replaced}::bytea)
    insert into sessions (id_hash, user_id, user_agent, device_id, created_at, last_seen_at, expires_at)
    values (${hashOf(token)}, ${id}, ${userAgent?.slice(0, 200) ?? null},
      ${deviceId !== null && isId(deviceId) ? deviceId : null}, engine_now(), engine_now(), ${endFrom(sql`engine_now()`)})`)
  const most = await devicesAllowed(tx, proved)
  if (most === null) return { token, endedAgents: [], most }
  const ended = await tx.rows<{ userAgent: string | null }>(sql`
    with oldest as (
      delete from sessions where id_hash in (
        select id_hash from sessions where user_id = ${id} and expires_at > engine_now()
        order by id_hash = ${hashOf(token)} desc, created_at desc, id desc offset ${most}::int)
      returning device_id, user_agent
    ), noted as (
      update known_devices set ended_at = engine_now() from oldest
      where known_devices.user_id = ${id} and known_devices.device_id = oldest.device_id
    )
    select user_agent as "userAgent" from oldest`)
  return { token, endedAgents: ended.map((one) => one.userAgent), most }
}

/**
 * Returns the account of a session. Returns undefined if the session has ended or expired, or if
 * the account was disabled or deleted.
 */
export async function findSignedIn(db: Executor, token: string): Promise<SignedIn | undefined> {
  const row = await db.row<Account & Omit<SignedIn, 'account'>>(sql`
    select ${accountColumns}, engine_now() as now, sessions.last_seen_at as "lastSeenAt",
      sessions.id as "sessionId",
      exists (select 1 from second_factors
        where second_factors.user_id = users.id and confirmed_at is not null) as "hasSecondFactor",
      case users.role when 'admin' then ${[...RIGHTS]}::text[] when 'editor' then coalesce(
        (select rights from helper_rights where user_id = users.id), '{}') else '{}' end as rights,
      case when ${proved} > engine_now() - make_interval(mins => ${PROOF_MINUTES}) then 'recent'
        when ${proved} > engine_now() - make_interval(hours => ${PROOF_HOURS}) then 'today'
        else 'old' end as proof
    from sessions join users on users.id = sessions.user_id
    where sessions.id_hash = ${hashOf(token)} and sessions.expires_at > engine_now()
      and sessions.created_at > engine_now() - make_interval(days => ${LONGEST_DAYS})
      and users.is_active and users.deleted_at is null`)
  if (!row) return undefined
  const { now, lastSeenAt, sessionId, hasSecondFactor, proof, rights, ...account } = row
  return { account, now, lastSeenAt, sessionId, hasSecondFactor, proof, rights }
}

/** Records that the session was used and extends it. Callers do so at most once a minute. */
export async function touchSession(db: Executor, token: string): Promise<void> {
  await db.run(sql`
    with touched as (
      update sessions set last_seen_at = engine_now(), expires_at = ${endFrom(sql`created_at`)}
      where id_hash = ${hashOf(token)} returning user_id, device_id, user_agent
    )
    insert into known_devices (user_id, device_id, user_agent, seen_at)
    select user_id, device_id, user_agent, engine_now() from touched where device_id is not null
    on conflict (user_id, device_id) do update set seen_at = excluded.seen_at`)
}

/** Records that the session's user has just proved their identity. */
export async function noteProof(db: Executor, token: string): Promise<void> {
  const data = { confirmedAt: await databaseNow(db) }
  await db.prisma(({ session }) => session.updateMany({ where: { idHash: hashOf(token) }, data }))
}

/**
 * Replaces the token of a session whose user has just given the password again, and returns the new
 * one. A copy of the old token stops working (OWASP ASVS 5, 7.2.4). Returns null if the session has
 * ended in the meantime.
 */
export async function renewSession(db: Executor, token: string): Promise<string | null> {
  const renewed = randomBytes(32).toString('base64url')
  const { count } = await db.prisma(({ session }) =>
    session.updateMany({ where: { idHash: hashOf(token) }, data: { idHash: hashOf(renewed) } }),
  )
  return count === 1 ? renewed : null
}

/** Deletes the session of a token, if it exists. */
export async function endSession(db: Db, token: string): Promise<void> {
  await db.prisma(({ session }) => session.deleteMany({ where: { idHash: hashOf(token) } }))
}

/**
 * Deletes the user's sessions, except the one with `exceptToken` if given, and refuses sign-ins that
 * are under way. Returns how many were deleted, and the account's new version.
 */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  exceptToken?: string,
): Promise<{ count: number; accessVersion: number }> {
  const [changed] = await tx.prisma(({ user }) =>
    user.updateManyAndReturn({
      where: { id: userId },
      data: { accessVersion: { increment: 1 } },
      select: { accessVersion: true },
    }),
  )
  const others = exceptToken === undefined ? {} : { idHash: { not: hashOf(exceptToken) } }
  // Sessions are deleted after the update, because the update waits for sessions that are starting.
  const { count } = await tx.prisma(({ session }) =>
    session.deleteMany({ where: { userId, ...others } }),
  )
  return { count, accessVersion: changed?.accessVersion ?? 0 }
}

/** Like `endSessionsOf`, for all sessions of many users. */
export async function endSessionsOfAll(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update users set access_version = access_version + 1 where id = any(${userIds}::uuid[])`)
  await tx.run(sql`delete from sessions where user_id = any(${userIds}::uuid[])`)
}

/**
 * Lets a user sign in again who has used up the tries: they start anew with the account's version.
 * Sign-ins under way and links for a first password end; sessions stay.
 */
export async function unlockSignIn(tx: Tx, userId: string): Promise<void> {
  await tx.prisma(({ user }) =>
    user.updateMany({ where: { id: userId }, data: { accessVersion: { increment: 1 } } }),
  )
}

/** A session as its owner sees it. */
export type OwnSession = {
  /** Identifies the session in a form. It cannot be used to sign in. */
  id: string
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  isThis: boolean
}

/** Maximum number of sessions on the page. "End the others" also ends those that are not shown. */
export const SESSIONS_SHOWN = 50

/** Lists the user's sessions: this browser first, then the others by their last use. */
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

/** The sessions to end, and the password, so that an open browser alone cannot end them. */
export type EndSessionsInput = { ownPassword: string; which: readonly string[] | 'others' }

/**
 * Ends sessions of the user, but never the one of `thisToken`. Returns how many, and that session's
 * new token. Throws BAD_INPUT for a wrong password, RATE_LIMITED, NOT_FOUND if the selected
 * sessions have already ended, and NOT_SIGNED_IN if the user's own session has ended. If two
 * sessions end each other concurrently, only one succeeds.
 */
export async function endOwnSessions(
  ctx: UserCtx,
  { ownPassword, which }: EndSessionsInput,
  thisToken: string,
): Promise<{ count: number; renewed: string }> {
  const { db, actor } = ctx
  await requireOwnPassword(ctx, { password: ownPassword, field: 'ownPassword' })
  return db.transaction(async (tx) => {
    const renewed = await renewSession(tx, thisToken)
    if (renewed === null) throw new AppError('NOT_SIGNED_IN', 'Please sign in')
    const count =
      which === 'others'
        ? (await endSessionsOf(tx, actor.id, renewed)).count
        : await tx.run(sql`
            delete from sessions where user_id = ${actor.id} and id_hash <> ${hashOf(renewed)}
              and id = any(${which.filter(isId)}::uuid[])`)
    if (count === 0) throw new AppError('NOT_FOUND', 'These sessions have already ended')
    await logAccess(tx, { action: 'auth.end-sessions', user: actor, isUser: true, count })
    return { count, renewed }
  })
}
