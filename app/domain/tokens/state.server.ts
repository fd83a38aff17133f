import sql from 'sql-template-tag'

/** The gate of a credential's account, if it is closed now. */
const closedGate = sql`from provider_gates as gate
  where gate.scope = credentials.account_scope and gate.closed_until > engine_now()`

/**
 * State of a row of `credentials`: dead permanently, cooling while its account takes no orders,
 * otherwise ok.
 */
export const credentialState = sql`case
  when credentials.state = 'dead' then 'dead'
  when credentials.state = 'cooling' and credentials.cool_until > engine_now() then 'cooling'
  when exists (select 1 ${closedGate}) then 'cooling' else 'ok' end`

/** When the cooling ends; null if the credential is not cooling. */
export const coolUntil = sql`greatest(
  case when credentials.state = 'cooling' and credentials.cool_until > engine_now()
    then credentials.cool_until end, (select gate.closed_until ${closedGate}))`
