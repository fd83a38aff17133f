import sql from 'sql-template-tag'

/** The gate that closes a credential's account at this moment, if one does. */
const closedGate = sql`from provider_gates as gate
  where gate.scope = credentials.account_scope and gate.closed_until > engine_now()`

/**
 * How a credential is: dead for good, cooling while its account takes no orders, else ok. A
 * condition on `credentials`.
 */
export const credentialState = sql`case
  when credentials.state = 'dead' then 'dead'
  when credentials.state = 'cooling' and credentials.cool_until > engine_now() then 'cooling'
  when exists (select 1 ${closedGate}) then 'cooling' else 'ok' end`

/** Until when it cools; null when it does not. */
export const coolUntil = sql`greatest(
  case when credentials.state = 'cooling' and credentials.cool_until > engine_now()
    then credentials.cool_until end, (select gate.closed_until ${closedGate}))`
