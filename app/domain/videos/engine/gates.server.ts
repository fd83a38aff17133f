import sql, { type Sql } from 'sql-template-tag'
import { hours, minutes, seconds } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import type { GateReason } from './policy'

export const SERVICE = 'service'

/** First pause, longest pause (it doubles from strike to strike), and how often a closed way is tried. */
const PAUSES = {
  'rate-limited': { first: seconds(30), most: seconds(240), probe: seconds(10) },
  quota: { first: hours(1), most: hours(1), probe: hours(1) },
  forbidden: { first: minutes(5), most: minutes(5), probe: minutes(5) },
  'model-gone': { first: minutes(5), most: minutes(5), probe: minutes(5) },
  down: { first: seconds(5), most: seconds(12), probe: seconds(12) },
  token: { first: seconds(60), most: seconds(60), probe: seconds(60) },
} as const satisfies Record<GateReason, { first: number; most: number; probe: number }>

export type Closing = { scope: string; reason: GateReason; retryAfterMs?: number | undefined }

/**
 * Closes a way to the provider for a while and sees to it that the line is looked at when it may
 * open. Answers for how long, in milliseconds.
 */
export async function closeGate(
  { queue, settings }: Pick<Deps, 'queue' | 'settings'>,
  tx: Tx,
  { scope, reason, retryAfterMs }: Closing,
): Promise<number> {
  const { first, most, probe } = PAUSES[reason]
  const scale = settings.providerTimeScale
  const gate = await tx.row<{ waitMs: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, opened_at)
    values (${scope}, ${reason},
      engine_now() + (${retryAfterMs ?? first * scale}::float * (1 + random() * 0.2)) * interval '1 millisecond',
      ${Math.round(probe * scale)}, engine_now())
    on conflict (scope) do update set reason = excluded.reason, strikes = gate.strikes + 1,
      probe_ms = excluded.probe_ms,
      closed_until = greatest(gate.closed_until, engine_now() + (case when ${retryAfterMs ?? null}::float is null
        then least(${most * scale}::float, ${first * scale}::float * power(2, least(gate.strikes, 6)))
        else ${retryAfterMs ?? 0}::float end * (1 + random() * 0.2)) * interval '1 millisecond')
    returning extract(epoch from closed_until - engine_now())::float * 1000 as "waitMs"`)
  const waitMs = Math.max(0, gate?.waitMs ?? 0)
  await queue.add(tx, [{ name: 'videos.dispatch', payload: {}, delayMs: waitMs + 50 }])
  return waitMs
}

/**
 * An order went through: the account and the service are open, and past failures forgotten. Parts of
 * the statement that notes it, see `goOn`.
 */
export const openGates = (accountScope: string): Sql => sql`, opened as (
    delete from provider_gates where scope in (${accountScope}, ${SERVICE})
      and exists (select 1 from written)
  ), forgotten as (
    delete from provider_failures where exists (select 1 from written)
  )`

/** Failures in a row, with no success in between, that make the whole service suspect. */
const TRANSIENT_IN_A_ROW = 5
const TRANSIENT_WINDOW = sql`interval '60 seconds'`
const DEAD_TOKENS_IN_A_ROW = 3
/** Names the lock that makes noting a failure and counting all of them one step. */
const FAILURES_LOCK = 7_304

/** Remembers a failure and closes the service when there have been too many in a row. */
export async function noteFailure(
  deps: Pick<Deps, 'queue' | 'settings' | 'log'>,
  tx: Tx,
  failure: { kind: 'transient' | 'unauthorized'; credentialId: string | null },
): Promise<void> {
  // Failures come in crowds: one by one, or none of them sees that it is the fifth.
  await tx.run(sql`select pg_advisory_xact_lock(${FAILURES_LOCK})`)
  await tx.run(sql`
    insert into provider_failures (kind, credential_id, failed_at)
    values (${failure.kind}, ${failure.credentialId}, engine_now())`)
  const seen = await tx.row<{ transient: number; tokens: number }>(sql`
    select count(*) filter (where kind = 'transient' and failed_at > engine_now() - ${TRANSIENT_WINDOW})::int
        as transient,
      count(distinct credential_id) filter (where kind = 'unauthorized')::int as tokens
    from provider_failures`)
  // Several tokens dead in a row say more about the address or the clock than about the tokens.
  const reason =
    failure.kind === 'unauthorized' && (seen?.tokens ?? 0) >= DEAD_TOKENS_IN_A_ROW
      ? 'token'
      : failure.kind === 'transient' && (seen?.transient ?? 0) >= TRANSIENT_IN_A_ROW
        ? 'down'
        : undefined
  if (!reason) return
  deps.log.error({ reason }, 'the provider is closed until a probe succeeds')
  await closeGate(deps, tx, { scope: SERVICE, reason })
}
