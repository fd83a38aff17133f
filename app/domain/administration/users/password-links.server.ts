import { isId } from '~/lib/ids'
import { makePasswordLinks, type PasswordLink } from '../../accounts/password-link.server'
import { requireProof } from '../../accounts/proof.server'
import type { AdminCtx } from '../../context'
import { AppError } from '../../errors'
import { logActivity } from '../../activity/write.server'
import type { ManagedUser } from '../types'
import { getManagedUser, noSuchUser } from './users-query.server'

/**
 * Creates links with which users without a password (imported with the hashed marker) set their
 * first one, and writes an entry of the activity log for each. Skips users who have a password. Throws
 * PASSWORD_NEEDED.
 */
export async function makeUserPasswordLinks(
  ctx: AdminCtx,
  ids: readonly string[],
): Promise<PasswordLink[]> {
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const links = await makePasswordLinks(ctx, tx, ids)
    const entries = links.map(({ userId, username }) => ({
      action: 'user.password-link' as const,
      subject: { kind: 'user' as const, id: userId, name: username },
    }))
    await logActivity(tx, ctx, entries)
    return links
  })
}

/**
 * Creates a link for one user. Throws PASSWORD_NEEDED, NOT_FOUND, and CONFLICT if the user has a
 * password or is disabled.
 */
export async function makeUserPasswordLink(
  ctx: AdminCtx,
  id: string,
): Promise<{ user: ManagedUser; secret: string }> {
  if (!isId(id)) throw noSuchUser()
  const user = await getManagedUser(ctx, ctx.db, id)
  const [link] = await makeUserPasswordLinks(ctx, [id])
  if (!link) {
    throw new AppError(
      'CONFLICT',
      'This user is disabled or has a password. Edit the user instead.',
    )
  }
  return { user, secret: link.secret }
}
