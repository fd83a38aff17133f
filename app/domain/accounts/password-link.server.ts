import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Executor } from '~/platform/db/port'
import { sealed } from '~/platform/secrets/sealed'
import type { Ctx, VisitorCtx } from '../context'
import { AppError } from '../errors'
import { logAccess } from '../activity/write.server'
import { databaseNow } from '../clock.server'
import { PROVEN } from './columns.server'
import { hashNewPassword } from './new-password.server'
import { LIMITS } from './rules'
import type { ProvenAccount } from './types'

/** The secrets of links: whose password, until when, and for which version of the account. */
const secrets = ({ vault }: Pick<Ctx, 'vault'>) =>
  sealed(vault, 'password-link', z.tuple([z.string().uuid(), z.number().int(), z.number().int()]))

export type PasswordLink = { userId: string; username: string; secret: string }

/**
 * Creates links for those of the accounts that have no password, so that their users can set one. A
 * link is valid until the account has a password, another link or another role, or is disabled, for
 * at most LIMITS.passwordLinkDays. It is not stored: whoever has the link can set the password, but
 * it cannot be derived from the database.
 */
export async function makePasswordLinks(
  ctx: Pick<Ctx, 'vault'>,
  db: Executor,
  ids: readonly string[],
): Promise<PasswordLink[]> {
  // A new version of the account ends earlier links.
  const rows = await db.rows<{ id: string; username: string; until: number; version: number }>(sql`
    update users set access_version = access_version + 1
    where id = any(${ids}::uuid[])
      and password_hash is null and is_active and deleted_at is null
    returning id, username, access_version as version,
      extract(epoch from engine_now())::int + ${LIMITS.passwordLinkDays}::int * 86400 as until`)
  const { make } = secrets(ctx)
  return rows.map(({ id, username, until, version }) => ({
    userId: id,
    username,
    secret: make([id, until, version]),
  }))
}

/**
 * Creates a link with which a user replaces the password that an administrator has just chosen, so
 * that no message has to contain it. It ends like the others, and when that password is changed.
 * Returns null if there is no such account.
 */
export async function makeReplacingLink(
  ctx: Pick<Ctx, 'vault'>,
  db: Executor,
  username: string,
): Promise<string | null> {
  const row = await db.row<{ id: string; until: number; version: number }>(sql`
    select id, extract(epoch from engine_now())::int + ${LIMITS.passwordLinkDays}::int * 86400 as until,
      access_version as version
    from users where username = ${username} and is_active and deleted_at is null`)
  return row ? secrets(ctx).make([row.id, row.until, row.version]) : null
}

const USABLE = { isActive: true, deletedAt: null }

/** Returns whether a time, in seconds since 1970, has passed. */
const hasPassed = async (db: Executor, time: number): Promise<boolean> =>
  (await databaseNow(db)) >= new Date(time * 1000)

/**
 * Returns the user whose password a link sets, or null if the link was used, has expired or is
 * invalid.
 */
export async function findByPasswordLink(
  ctx: VisitorCtx,
  secret: string,
): Promise<{ username: string } | null> {
  const opened = secrets(ctx).read(secret)
  if (opened === null) return null
  const [id, until, accessVersion] = opened
  if (await hasPassed(ctx.db, until)) return null
  return ctx.db.prisma(({ user }) =>
    user.findFirst({
      where: { id, accessVersion, ...USABLE },
      select: { username: true },
    }),
  )
}

/**
 * Sets the password of the account for which a link was created. Works once. Throws CONFLICT if the
 * link is no longer valid, BAD_INPUT for a weak password.
 */
export async function setPasswordByLink(
  ctx: VisitorCtx,
  { secret, password }: { secret: string; password: string },
): Promise<ProvenAccount> {
  const opened = secrets(ctx).read(secret)
  if (opened === null) throw linkIsOver()
  const [id, until, accessVersion] = opened
  const found = await findByPasswordLink(ctx, secret)
  if (!found) throw linkIsOver()
  const { username } = found
  const passwordHash = await hashNewPassword(ctx, { password, username, field: 'newPassword' })
  if (await hasPassed(ctx.db, until)) throw linkIsOver()
  const where = { id, accessVersion, ...USABLE }
  const data = { passwordHash, accessVersion: { increment: 1 } }
  const [account] = await ctx.db.transaction(async (tx) => {
    const changed = await tx.prisma(({ user }) =>
      user.updateManyAndReturn({ where, data, select: PROVEN }),
    )
    // Whoever signed in with the old password is signed out.
    if (changed.length > 0)
      await tx.prisma(({ session }) => session.deleteMany({ where: { userId: id } }))
    return changed
  })
  if (!account) throw linkIsOver()
  await logAccess(ctx.db, {
    action: 'auth.first-password',
    user: account,
    isUser: true,
    address: ctx.actor.address,
  })
  return account
}

export const LINK_IS_OVER = 'This link was used or is too old. Ask for a new one.'
const linkIsOver = () => new AppError('CONFLICT', LINK_IS_OVER)
