import sql from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import type { AdminCtx } from '../../context'
import { AppError, isAppError } from '../../errors'
import { boundTo, providerOfRoute } from '../../providers.server'
import { forgetUnused, storeToken } from '../../tokens/credentials.server'
import type { ManagedUser } from '../types'

type Holding = { userId: string; token: string | null }

/**
 * Sets or removes a user's own token, which is one of the provider of the user's plan. Videos held for lack
 * of a token continue. Throws BAD_INPUT on the field `bearerToken` if the provider does not accept the
 * token's format.
 */
export async function storePersonalToken(
  ctx: AdminCtx,
  tx: Tx,
  { userId, token }: Holding,
): Promise<void> {
  const id = token === null ? null : await keep(ctx, tx, { userId, token })
  await tx.prisma(({ user }) =>
    user.updateMany({ where: { id: userId }, data: { credentialId: id } }),
  )
  if (id !== null) {
    await tx.run(sql`update credentials set last_assigned_at = engine_now() where id = ${id}`)
    await ctx.queue.add(tx, [{ name: 'videos.wake', payload: { reason: 'token' } }])
  }
  await forgetUnused(tx)
}

async function keep(
  ctx: AdminCtx,
  tx: Tx,
  { userId, token }: { userId: string; token: string },
): Promise<string> {
  const { route } = await tx.one<{ route: string }>(
    sql`select route from users where id = ${userId}`,
  )
  const bound = boundTo(ctx, providerOfRoute(ctx, route))
  try {
    return (await storeToken(bound, tx, { token, by: ctx })).id
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new AppError(error.code, error.message, { fields: { bearerToken: [error.message] } })
  }
}

/** Decrypts the own tokens of these accounts, by account. */
export async function openTokens(
  { db, vault }: AdminCtx,
  users: readonly Pick<ManagedUser, 'id'>[],
): Promise<Map<string, string>> {
  const ids = users.map(({ id }) => id)
  const rows = await db.rows<{ userId: string; id: string; cipher: Buffer }>(sql`
    select users.id as "userId", credentials.id, secret_cipher as cipher
    from users join credentials on credentials.id = credential_id where users.id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ userId, id, cipher }) => [userId, vault.open(id, cipher)]))
}
