import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Tx } from '~/platform/db/port'
import type { Ctx } from '../context'
import { AppError } from '../errors'
import { maskToken } from './rules'

/** Returns a hash by which the same token is recognised without storing it in clear text. */
const fingerprintOf = (token: string) => createHash('sha256').update(token).digest('hex')

type Wallet = Pick<Ctx, 'vault' | 'provider'>

/**
 * Returns the id of the credential for a pasted token, creating it if it is new. A dead credential
 * becomes ok again, because pasting the token implies that it works. Throws BAD_INPUT if the
 * provider does not accept the token's format.
 */
export async function storeCredential(
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
    on conflict (fingerprint) do update set state = 'ok', account_scope = excluded.account_scope, kind = excluded.kind
    returning id`)
  if (!row) throw new Error('the credential was not kept')
  return row.id
}

/**
 * Deletes credentials that are no longer referenced by a user, the pool or an order in progress. The
 * states are those of `ACTIVE` in the engine, which this area may not import.
 */
export async function forgetUnused(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from credentials where pool_position is null and not is_default
      and not exists (select 1 from users where credential_id = credentials.id)
      and not exists (select 1 from attempts where credential_id = credentials.id
        and state in ('queued', 'submitting', 'submitted', 'fetching', 'unknown'))`)
}

/**
 * Makes the operator's own token (VIDEO_PROVIDER_TOKEN) the platform's default, or removes the
 * default if it is not set. Called when a worker starts. Does nothing if token and account are
 * unchanged.
 */
export async function storeDefaultCredential(
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
    const id = await storeCredential(ctx, tx, token)
    await tx.run(sql`update credentials set is_default = true where id = ${id}`)
  })
}
