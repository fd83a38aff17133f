import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { ProviderError, type Credential } from '~/platform/providers/port'
import { Secret } from '~/platform/secrets/secret'
import type { EngineCtx, LeasedAttempt, SealedCredential } from './context'

const NONE = { id: 'none', kind: 'none', secret: new Secret('') } as const

/**
 * Returns the decrypted token that was read with the attempt's claim. Throws the ProviderError with
 * which the provider would refuse the call if a token is needed and none is left.
 */
export function credentialOf(
  { provider, vault }: Pick<EngineCtx, 'provider' | 'vault'>,
  { accountScope, credential }: Pick<LeasedAttempt, 'accountScope' | 'credential'>,
): Credential {
  if (!provider.can.needsCredential) return { ...NONE, accountScope }
  if (!credential) {
    const message = `no live token for account ${accountScope}`
    throw new ProviderError({ kind: 'unauthorized' }, 'not-sent', { message })
  }
  const { sealed, ...known } = credential
  return { ...known, secret: new Secret(vault.open(known.id, sealed)) }
}

/**
 * Builds a lateral subquery, to be aliased `token`, for the token assigned to an order unless that
 * token is dead.
 */
export const orderingToken = (attempt: Sql): Sql => sql`
  select * from credentials where id = ${attempt}.credential_id and state <> 'dead'`

/**
 * Builds a lateral subquery for a token that can poll an order: the order's own token, otherwise
 * another live token of the same account, because an order exists only in the account that took it.
 */
export const askingToken = (attempt: Sql): Sql => sql`
  select * from credentials where account_scope = ${attempt}.account_scope and state <> 'dead'
  order by id = ${attempt}.credential_id desc, is_default desc, last_used_at desc nulls last limit 1`

export const TOKEN_COLUMNS = sql`token.id as "tokenId", token.kind as "tokenKind",
  token.account_scope as "tokenScope", token.secret_cipher as sealed`

export type TokenRow = {
  tokenId: string | null
  tokenKind: SealedCredential['kind'] | null
  tokenScope: string | null
  sealed: Buffer | null
}

/** Returns the token of a row that was read with TOKEN_COLUMNS, or null if there is none. */
export function tokenIn({ tokenId, tokenKind, tokenScope, sealed }: TokenRow) {
  if (tokenId === null || tokenKind === null || tokenScope === null || sealed === null) return null
  return { id: tokenId, kind: tokenKind, accountScope: tokenScope, sealed }
}

/** Returns whether an account has a token that is not dead. */
export async function hasLiveCredential(db: Executor, accountScope: string): Promise<boolean> {
  return Boolean(
    await db.row(sql`
      select 1 from credentials where account_scope = ${accountScope} and state <> 'dead' limit 1`),
  )
}

/**
 * Marks a token as dead. Returns false if it was already dead, so that only the first of several
 * failing orders counts.
 */
export async function markTokenDead(db: Executor, id: string, why: string): Promise<boolean> {
  const marked = await db.run(sql`
    update credentials set state = 'dead', failures = failures + 1, last_error = ${why},
      last_error_at = engine_now()
    where id = ${id} and state <> 'dead'`)
  return marked > 0
}

/**
 * Builds the part of the statement in `scheduleNextStep` that counts a successful use of a token.
 */
export const noteUse = (credentialId: string | null): Sql => sql`, used as (
    update credentials set successes = successes + 1, last_used_at = engine_now() from written
    where credentials.id = ${credentialId}
  )`
