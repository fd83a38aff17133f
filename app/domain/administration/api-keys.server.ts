import { isId } from '~/lib/ids'
import { endApiKey, listApiKeys, type ApiKeyView } from '../accounts/api-keys.server'
import { requireProof } from '../accounts/proof.server'
import { mayUseApi } from '../accounts/rules'
import { logActivity } from '../activity/write.server'
import type { AdminCtx } from '../context'
import { getManagedUser, noSuchUser } from './users/users-query.server'
import type { ManagedUser } from './types'

/** The API keys of a customer, whether they work, and whether an administrator allows them. */
export type CustomerKeys = { keys: ApiKeyView[]; isAllowed: boolean; mayHave: boolean }

/** Returns what the page of a customer shows of API keys. */
export async function getCustomerKeys(
  { db }: AdminCtx,
  { id, role, plan }: ManagedUser,
): Promise<CustomerKeys> {
  const keys = await listApiKeys(db, id)
  const where = { id }
  const select = { apiAllowed: true }
  const found = await db.prisma(({ user }) => user.findFirst({ where, select }))
  const isAllowed = found?.apiAllowed ?? false
  return { keys, isAllowed, mayHave: mayUseApi({ role, plan, apiAllowed: isAllowed }) }
}

/**
 * Allows a user API keys that the plan does not include, or no longer. Without the right the keys stay and are
 * refused. Returns the username. Throws NOT_FOUND or PASSWORD_NEEDED.
 */
export async function allowApiKeys(
  ctx: AdminCtx,
  { id, isAllowed }: { id: string; isAllowed: boolean },
): Promise<string> {
  if (!isId(id)) throw noSuchUser()
  requireProof(ctx)
  return ctx.db.transaction(async (tx) => {
    const { username } = await getManagedUser(ctx, tx, id)
    const where = { id, apiAllowed: !isAllowed }
    const { count } = await tx.prisma(({ user }) =>
      user.updateMany({ where, data: { apiAllowed: isAllowed } }),
    )
    if (count > 0)
      await logActivity(tx, ctx, {
        action: 'user.api-keys',
        subject: { kind: 'user', id, name: username },
        before: { apiKeys: !isAllowed },
        after: { apiKeys: isAllowed },
      })
    return username
  })
}

/** Ends an API key of a user at once, and returns its name. Throws NOT_FOUND or PASSWORD_NEEDED. */
export async function endCustomerKey(
  ctx: AdminCtx,
  { id, keyId }: { id: string; keyId: string },
): Promise<string> {
  if (!isId(id)) throw noSuchUser()
  requireProof(ctx, 'today')
  return ctx.db.transaction(async (tx) => {
    const { username } = await getManagedUser(ctx, tx, id)
    const apiKey = await endApiKey(tx, { id: keyId, userId: id })
    const subject = { kind: 'user', id, name: username } as const
    await logActivity(tx, ctx, { action: 'user.end-api-key', subject, after: { apiKey } })
    return apiKey
  })
}
