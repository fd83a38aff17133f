import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Ctx } from '../context'
import { AppError } from '../errors'
import { maskToken } from './rules'

/** Finds the same token again without keeping it readable. */
const fingerprintOf = (token: string) => createHash('sha256').update(token).digest('hex')

type Wallet = Pick<Ctx, 'vault' | 'provider'>

/**
 * The credential of a pasted token, made when it is new. One that was dead lives again: whoever
 * pastes it says that it works. Throws BAD_INPUT when the provider can do nothing with its form.
 */
export async function keepCredential(
  { vault, provider }: Wallet,
  tx: Tx,
  token: string,
): Promise<string> {
  const scope = provider.scopeOf?.(token) ?? {
    ok: true as const,
    kind: 'static-bearer' as const,
    accountScope: provider.kind,
  }
  if (!scope.ok)
    throw new AppError('BAD_INPUT', scope.problem, { fields: { token: [scope.problem] } })
  const id = newId()
  const row = await tx.row<{ id: string }>(sql`
    insert into credentials (id, kind, account_scope, secret_cipher, fingerprint, mask, created_at)
    values (${id}, ${scope.kind}, ${scope.accountScope}, ${vault.seal(id, token)}, ${fingerprintOf(token)},
      ${maskToken(token)}, engine_now())
    on conflict (fingerprint) do update set state = 'ok', cool_until = null,
      account_scope = excluded.account_scope, kind = excluded.kind
    returning id`)
  if (!row) throw new Error('the credential was not kept')
  return row.id
}

/** Forgets credentials that nothing refers to any more: no user, no pool, no order under way. */
export async function forgetUnused(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from credentials where pool_position is null and not is_default
      and not exists (select 1 from users where credential_id = credentials.id)
      and not exists (select 1 from attempts where credential_id = credentials.id
        and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown'))`)
}

/**
 * Makes the operator's own token (VIDEO_PROVIDER_TOKEN) the platform's default, or leaves none.
 * Called when a worker starts; the same token for the same account again changes nothing.
 */
export async function keepDefaultCredential(
  ctx: Wallet & Pick<Ctx, 'db'>,
  token: string | undefined,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const current = await tx.row<{ fingerprint: string; scope: string }>(sql`
      select fingerprint, account_scope as scope from credentials where is_default`)
    const scope = token === undefined ? undefined : ctx.provider.scopeOf?.(token)
    const isSameAccount = !scope?.ok || scope.accountScope === current?.scope
    if (token !== undefined && current?.fingerprint === fingerprintOf(token) && isSameAccount)
      return
    await tx.run(sql`update credentials set is_default = false where is_default`)
    if (token === undefined) return
    const id = await keepCredential(ctx, tx, token)
    await tx.run(sql`update credentials set is_default = true where id = ${id}`)
  })
}
