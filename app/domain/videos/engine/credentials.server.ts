import sql, { type Sql } from 'sql-template-tag'
import { ProviderError, type Credential } from '~/platform/providers/port'
import { Secret } from '~/platform/secrets/secret'
import { today } from '../../days.server'
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
    const message = `no token for an order of ${accountScope}`
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

/** Builds the account of an attempt: that of its key, or its scope if the provider needs no key. */
export const accountOf = (attempt: Sql): Sql => sql`coalesce(
  (select account from credentials where id = ${attempt}.credential_id), ${attempt}.account_scope)`

/**
 * Builds a lateral subquery for the token with which to ask about an order: the order's own for as
 * long as it gets answers, even if it may not order any more; otherwise another one of the same
 * account, because an order exists only in the account that took it. All accounts of a scope have the same
 * orders at the providers `sharers`. If no token gets answers, it is the order's own.
 */
export const askingToken = (attempt: Sql, sharers: readonly string[]): Sql => sql`
  select * from credentials where account_scope = ${attempt}.account_scope
    and (id = ${attempt}.credential_id or account = ${accountOf(attempt)}
      or ${attempt}.provider = any(${[...sharers]}::text[]))
  order by (may_ask and id = ${attempt}.credential_id) desc, (may_ask and state <> 'dead') desc,
    (may_ask and account = ${accountOf(attempt)}) desc, (id = ${attempt}.credential_id) desc,
    is_default desc, last_used_at desc nulls last limit 1`

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

/**
 * Builds the part of the statement in `scheduleNextStep` that counts an accepted order of a token,
 * which is proof that the token works.
 */
export const noteUse = (credentialId: string | null, timeZone: string): Sql => sql`, used as (
    update credentials set successes = successes + 1, last_used_at = engine_now(), refusals = 0,
      refused_video_id = null, may_ask = true
    from written where credentials.id = ${credentialId}
  ), counted as (
    insert into credential_days as counts (credential_id, day, orders)
    select ${credentialId}::uuid, ${today(timeZone)}, 1 from written where ${credentialId}::uuid is not null
    on conflict (credential_id, day) do update set orders = counts.orders + 1
  )`

/**
 * Builds a part of the statement that ends an attempt: counts how it ended for its token. It reads
 * the attempt from `ended`.
 */
export const noteEnd = (counter: 'delivered' | 'failed', timeZone: string): Sql => {
  const [delivered, failed] = counter === 'delivered' ? [1, 0] : [0, 1]
  return sql`, counted as (
    insert into credential_days as counts (credential_id, day, delivered, failed)
    select (ended.attempt).credential_id, ${today(timeZone)}, ${delivered}::int, ${failed}::int
    from ended where (ended.attempt).credential_id is not null
    on conflict (credential_id, day) do update set
      delivered = counts.delivered + excluded.delivered, failed = counts.failed + excluded.failed
  )`
}
