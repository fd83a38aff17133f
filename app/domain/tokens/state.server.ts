import sql, { type Sql } from 'sql-template-tag'

/** The gate of a credential's account, if it is closed now. */
const closedGate = sql`from provider_gates as gate
  where gate.scope = credentials.account and gate.closed_until > engine_now()`

/**
 * State of a row of `credentials`: dead permanently; spent from an order that was refused for lack of
 * credits until one is accepted, also after the pause; cooling while its account takes no orders;
 * otherwise ok.
 */
export const credentialState = sql`case
  when credentials.state = 'dead' then 'dead'
  when exists (select 1 from provider_gates as gate where gate.scope = credentials.account
    and gate.reason = 'quota' and gate.strikes > 0 and gate.room = 1) then 'spent'
  when exists (select 1 ${closedGate}) then 'cooling' else 'ok' end`

/** When the cooling ends; null if the credential is not cooling. */
export const coolUntil = sql`(select gate.closed_until ${closedGate})`

/** Why the account is paused; null if it is not. */
export const pauseReason = sql`(select gate.reason ${closedGate})`

/**
 * Condition that a token is one of a provider. A token belongs to the provider for which it was added, at
 * the address that it had then: no other one gets to see it. An earlier version did not note the provider.
 * Without a scope a token of any address is meant.
 */
export const isOf = ({ kind, scope = null }: Ownership): Sql =>
  sql`coalesce(credentials.provider, ${kind}) = ${kind}
    and coalesce(${scope}::text, credentials.account_scope) = credentials.account_scope`

type Ownership = { kind: string; scope?: string | null | undefined }

/** By what operators recognise a row of `credentials`, such as "Token 14 …a1b2". */
export const tokenName = sql`coalesce(credentials.label, 'Token ' || credentials.number)
  || coalesce(' …' || nullif(credentials.last_four, ''), '')`
