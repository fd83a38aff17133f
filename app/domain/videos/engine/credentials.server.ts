import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { ProviderError, Secret, type Credential } from '~/platform/providers/port'
import type { EngineCtx, HeldAttempt, SealedCredential } from './context'

const NONE = { id: 'none', kind: 'none', secret: new Secret('') } as const

/**
 * The token that an attempt's claim brought along. Throws a ProviderError, the one that the provider
 * would answer with, where one is needed and none is left.
 */
export function credentialOf(
  { provider, vault }: Pick<EngineCtx, 'provider' | 'vault'>,
  { accountScope, credential }: Pick<HeldAttempt, 'accountScope' | 'credential'>,
): Credential {
  if (!provider.can.needsCredential) return { ...NONE, accountScope }
  if (!credential) {
    const message = `no living token for account ${accountScope}`
    throw new ProviderError({ kind: 'unauthorized' }, 'not-sent', { message })
  }
  const { sealed, ...known } = credential
  return { ...known, secret: new Secret(vault.open(known.id, sealed)) }
}

/** The token that an order was given, while it lives; a query for a lateral join, as `token`. */
export const orderingToken = (attempt: Sql): Sql => sql`
  select * from credentials where id = ${attempt}.credential_id and state <> 'dead'`

/**
 * A living token for asking about an order: its own, else another one of the same account, because
 * an order lives in the account that took it.
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

/** What TOKEN_COLUMNS brought. */
export function tokenIn({ tokenId, tokenKind, tokenScope, sealed }: TokenRow) {
  if (tokenId === null || tokenKind === null || tokenScope === null || sealed === null) return null
  return { id: tokenId, kind: tokenKind, accountScope: tokenScope, sealed }
}

/** Whether an account still has a token that lives. */
export async function hasLivingCredential(db: Executor, accountScope: string): Promise<boolean> {
  return Boolean(
    await db.row(sql`
      select 1 from credentials where account_scope = ${accountScope} and state <> 'dead' limit 1`),
  )
}

/** Marks a token dead, once, however many orders find it so; false when it was dead already. */
export async function markTokenDead(db: Executor, id: string, why: string): Promise<boolean> {
  const marked = await db.run(sql`
    update credentials set state = 'dead', failures = failures + 1, last_error = ${why},
      last_error_at = engine_now()
    where id = ${id} and state <> 'dead'`)
  return marked > 0
}

/** Notes which token an order went out with: part of the statement in `scheduleNextStep`. */
export const noteUse = (credentialId: string | null): Sql => sql`, used as (
    update credentials set successes = successes + 1, last_used_at = engine_now() from written
    where credentials.id = ${credentialId}
  )`
