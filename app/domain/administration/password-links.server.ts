import { isId } from '~/lib/ids'
import { makePasswordLinks, type PasswordLink } from '../accounts/password-link.server'
import { requireProof } from '../accounts/proof.server'
import type { AdminCtx } from '../context'
import { AppError } from '../errors'
import { writeAudit } from '../audit.server'
import type { ManagedUser } from './types'
import { getManagedUser, noSuchUser } from './users-query.server'

/**
 * Links with which users who have no password (imported with the hashed marker) set their first one,
 * and a note of each in the audit log. Users who have one get none. Throws PASSWORD_NEEDED.
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
    await writeAudit(tx, ctx, entries)
    return links
  })
}

/** The same for one. Throws PASSWORD_NEEDED, NOT_FOUND, and CONFLICT for somebody who can sign in or may not. */
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
