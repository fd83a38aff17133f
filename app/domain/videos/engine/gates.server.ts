import sql, { type Sql } from 'sql-template-tag'
import { hours, minutes, seconds } from '~/lib/time'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Executor, Tx } from '~/platform/db/port'
import type { NewJob, Queue } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { dispatchAfter } from '../line.server'
import { IS_DUE } from './attempts.server'
import { accountOf } from './credentials.server'
import type { GateReason, HoldReason } from '../types'
import { STORAGE } from './storage-gate.server'

export const SERVICE = 'service'
/**
 * The gate of the host that serves finished clips. While the host is down, nothing new is ordered.
 */
export const CLIPS = 'clips'

/** The first pause, the longest one (each strike doubles it), and the time between two probes. */
const PAUSES = {
  'rate-limited': { first: seconds(30), most: seconds(240), probe: seconds(10) },
  quota: { first: hours(1), most: hours(1), probe: hours(1) },
  forbidden: { first: minutes(1), most: minutes(5), probe: minutes(1) },
  'model-gone': { first: minutes(1), most: minutes(5), probe: minutes(1) },
  down: { first: seconds(5), most: seconds(12), probe: seconds(12) },
  token: { first: seconds(60), most: seconds(60), probe: seconds(60) },
  clips: { first: seconds(10), most: seconds(60), probe: seconds(10) },
} as const satisfies Record<GateReason, { first: number; most: number; probe: number }>

type Closing = { scope: string; reason: GateReason; retryAfterMs?: number | undefined }

/**
 * Closes a gate for a while and schedules a dispatch for the moment at which it may open. Returns
 * how long it is closed, in milliseconds.
 */
export async function closeGate(
  { queue, settings }: Pick<Deps, 'queue' | 'settings'>,
  tx: Tx,
  { scope, reason, retryAfterMs }: Closing,
): Promise<number> {
  const { first, most, probe } = PAUSES[reason]
  const scale = settings.providerTimeScale
  const gate = await tx.row<{ waitMs: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, closed_at)
    values (${scope}, ${reason},
      engine_now() + (${retryAfterMs ?? first * scale}::float * (1 + random() * 0.2)) * interval '1 millisecond',
      ${Math.round(probe * scale)}, engine_now())
    on conflict (scope) do update set reason = excluded.reason, strikes = gate.strikes + 1,
      probe_ms = excluded.probe_ms, closed_at = excluded.closed_at,
      closed_until = greatest(gate.closed_until, engine_now() + (case when ${retryAfterMs ?? null}::float is null
        then least(${most * scale}::float, ${first * scale}::float * power(2, least(gate.strikes, 6)))
        else ${retryAfterMs ?? 0}::float end * (1 + random() * 0.2)) * interval '1 millisecond')
    returning extract(epoch from closed_until - engine_now())::float * 1000 as "waitMs"`)
  const waitMs = Math.max(0, gate?.waitMs ?? 0)
  await queue.add(tx, [dispatchAfter(waitMs)])
  return waitMs
}

/**
 * Gates that were closed after the attempt was created. A probe is created later, so it may pass.
 */
const closedFor = sql`scope in (${accountOf(sql`attempts`)}, ${SERVICE}, ${CLIPS}, ${STORAGE})
  and closed_until > engine_now() and closed_at > attempts.created_at`
/** Condition under which an attempt's order may be sent. */
export const NO_CLOSED_GATE: Sql = sql`not exists (select 1 from provider_gates where ${closedFor})`

/**
 * Finds the closed gate that blocks a queued, due attempt, and how long its video has to wait: not at
 * all if only its account is closed, because another one may take it. `reason` is null if the gate was opened in the meantime. Returns undefined if the attempt is not
 * queued or not due.
 */
export async function findClosedGate(
  db: Executor,
  attemptId: string,
): Promise<{ reason: HoldReason | null; waitMs: number } | undefined> {
  return db.row(sql`
    select reason, case when scope <> ${accountOf(sql`attempts`)}
      then extract(epoch from closed_until - engine_now())::float * 1000 else 0 end as "waitMs"
    from attempts left join provider_gates on ${closedFor}
    where attempts.id = ${attemptId} and attempts.state = 'queued' and ${IS_DUE}
    order by closed_until desc limit 1`)
}

/**
 * Builds the part of a statement that, once an order is accepted, opens the gates of the account and
 * the service and deletes recorded failures. An order from before a gate was closed does not open
 * it: its acceptance says nothing about the time since. Used in the statement that stores the order
 * (see `scheduleNextStep`).
 */
export const openGates = (account: string): Sql => sql`, opened as (
    delete from provider_gates using written
    where scope in (${account}, ${SERVICE}) and closed_at < written.created_at
    returning scope
  ), forgotten as (
    delete from provider_failures where exists (select 1 from written)
  )`

/** Builds the column of that statement that adds the job for the videos that waited for a gate. */
export const releaseAfterOpening = (queue: Queue): Sql =>
  sql`, case when exists (select 1 from opened) then ${queue.adding([GATE_OPENED])} end`

/** Job that releases what is held for gates. Its key ensures that at most one is scheduled. */
const GATE_OPENED: NewJob = { name: 'videos.gate-opened', payload: {}, key: 'gate opened' }

/**
 * Opens the gate of the clip host. Called when a clip has arrived, which shows that it is
 * reachable.
 */
export const openClips = (db: Executor): Promise<number> =>
  db.run(sql`delete from provider_gates where scope = ${CLIPS}`)

/** Number of consecutive failures, with no success in between, that closes the whole service. */
const TRANSIENT_IN_A_ROW = 5
const TRANSIENT_WINDOW = sql`interval '60 seconds'`
const DEAD_TOKENS_IN_A_ROW = 3

/** Records a failure and closes the service if there were too many in a row. */
export async function noteFailure(
  deps: Pick<Deps, 'queue' | 'settings' | 'log'>,
  tx: Tx,
  failure: { kind: 'transient' | 'unauthorized'; credentialId: string | null },
): Promise<void> {
  // Failures occur concurrently. Without the lock, they would not count each other.
  await tx.run(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.failures})`)
  await tx.run(sql`
    insert into provider_failures (kind, credential_id, failed_at)
    values (${failure.kind}, ${failure.credentialId}, engine_now())`)
  const seen = await tx.one<{ transient: number; tokens: number }>(sql`
    select count(*) filter (where kind = 'transient' and failed_at > engine_now() - ${TRANSIENT_WINDOW})::int
        as transient,
      count(distinct credential_id) filter (where kind = 'unauthorized')::int as tokens
    from provider_failures`)
  // Several dead tokens in a row suggest a wrong provider address or a wrong clock, not bad tokens.
  const reason =
    failure.kind === 'unauthorized' && seen.tokens >= DEAD_TOKENS_IN_A_ROW
      ? 'token'
      : failure.kind === 'transient' && seen.transient >= TRANSIENT_IN_A_ROW
        ? 'down'
        : undefined
  if (!reason) return
  deps.log.error({ reason }, 'the provider is closed until a probe succeeds')
  await closeGate(deps, tx, { scope: SERVICE, reason })
}
