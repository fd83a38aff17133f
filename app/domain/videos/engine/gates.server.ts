import sql, { type Sql } from 'sql-template-tag'
import type { Executor, Tx } from '~/platform/db/port'
import type { VideoProvider } from '~/platform/providers/port'
import type { NewJob, Queue } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { dispatchAfter } from '../line.server'
import { ACTIVE, IS_DUE } from './attempts.server'
import { accountOf } from './credentials.server'
import type { GateReason, HoldReason } from '../types'
import { FOR_NOTHING, OPEN_AT_ONCE, PROVEN_BY } from './gate-policies'
import { allProviders } from '../../providers.server'

type Kind = Pick<VideoProvider, 'kind'>

/** Names the gate of a whole provider. */
export const serviceOf = ({ kind }: Kind): string => `service ${kind}`
/**
 * Names the gate of the host that serves a provider's clips. While the host is down, nothing new is
 * ordered there.
 */
export const clipsOf = ({ kind }: Kind): string => `clips ${kind}`

/** Names both: the gates that hold all orders of a provider. */
export const linesOf = (provider: Kind): string[] => [serviceOf(provider), clipsOf(provider)]

/** Condition that a gate is one of these, of whatever provider. */
export const IS_LINE = sql`(scope like 'service %' or scope like 'clips %')`
/** Names the gate of the clips of the provider that has an attempt, in a statement that reads attempts. */
export const CLIPS_OF_ATTEMPT = sql`'clips ' || attempts.provider`
/** The gates of that provider. */
const LINE_OF_ATTEMPT = sql`'service ' || attempts.provider, ${CLIPS_OF_ATTEMPT}`

/** The gate of our own storage. No provider account has this name. */
export const STORAGE = 'our storage'

// The circuit breaker. Only this module and close-gate.server.ts write gates; gate-policies.ts says how
// each one pauses and opens, breaker.server.ts which failures close one in numbers.

/** Opens the gate of the storage after a look that found nothing wrong. */
export async function openStorage({ log }: Pick<Deps, 'log'>, tx: Tx): Promise<void> {
  if ((await tx.run(sql`delete from provider_gates where scope = ${STORAGE}`)) > 0)
    log.info('clips can be stored again')
}

/** With room for this many unproven orders the next success opens a gate. */
const FULL_ROOM = 8

type OpeningEvidence = {
  /** What was proven: the keys of `PROVEN_BY`. */
  by: keyof typeof PROVEN_BY
  scopes: readonly string[]
}

/**
 * Builds the parts of a statement that open gates, `opened`, or double their room, `widened`. The part
 * `from` has a row with `created_at` if there is a proof. An order from before a gate was closed does
 * not open it: it says nothing about the time since. Where acceptances could not be read, `turned` awaits the
 * first clip too once they can: the provider has changed.
 */
export const openingGates = (from: Sql, { by, scopes }: OpeningEvidence): Sql => {
  const proven = sql`scope = any(${[...scopes]}::text[]) and reason = any(${[...PROVEN_BY[by]]}::text[])
      and closed_at < proof.created_at`
  const opensAtOnce = sql`reason = any(${[...OPEN_AT_ONCE]}::text[])`
  const isFull = sql`(room >= ${FULL_ROOM} or ${opensAtOnce})`
  const awaitsClip = sql`(strikes > 0 and reason = 'unreadable')`
  const isTurning = sql`(${awaitsClip} and room * 2 >= ${FULL_ROOM})`
  return sql`
  opened as (
    delete from provider_gates using ${from} as proof
    where ${proven} and ${isFull} and not ${awaitsClip} returning scope
  ), turned as (
    update provider_gates set reason = 'no-clips', strikes = 0, for_nothing = 0, room = ${FULL_ROOM}
    from ${from} as proof where ${proven} and ${isTurning} returning scope
  ), widened as (
    update provider_gates set room = room * 2, closed_until = least(closed_until, closed_at)
    from ${from} as proof where ${proven} and not ${isFull} and not ${isTurning} returning scope
  )`
}

/** Keeps a gate closed for others while a probe is under way. */
export async function noteProbe(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  { scope, probeMs }: { scope: string; probeMs: number },
): Promise<void> {
  await tx.run(sql`
    update provider_gates set closed_until = engine_now() + ${probeMs}::float * interval '1 millisecond'
    where scope = ${scope}`)
  await queue.add(tx, [dispatchAfter(probeMs)])
}

type Start = { scope: string; reason: GateReason; room: number }

/**
 * Lets only `room` unproven orders at once through a gate that is not closed. Where a clip is the proof,
 * orders that were under way before stay unproven, however often a worker starts.
 */
export const startSlowly = (tx: Tx, { scope, reason, room }: Start): Promise<number> =>
  tx.run(sql`
    insert into provider_gates as gate (scope, reason, closed_until, closed_at, probe_ms, strikes, room)
    values (${scope}, ${reason}, engine_now(), engine_now(), 0, 0, ${room}::int)
    on conflict (scope) do update set room = least(gate.room, excluded.room),
      closed_at = case when gate.reason = any(${[...PROVEN_BY.clip]}::text[]) then gate.closed_at
        else excluded.closed_at end
    where gate.strikes = 0`)

/** Ends pauses, so that the next order is a probe. Returns whether one of the gates was closed. */
export const endPauses = async (tx: Tx, scopes: readonly string[]): Promise<boolean> =>
  (await tx.run(sql`
    update provider_gates set closed_until = engine_now()
    where scope = any(${[...scopes]}::text[]) and closed_until > engine_now()`)) > 0

/** Ends the pauses in which orders were paid for nothing, so that one probe follows at once. */
export const endPausesForNothing = (tx: Tx): Promise<number> =>
  tx.run(sql`
    update provider_gates set closed_until = least(closed_until, engine_now())
    where strikes > 0 and reason = any(${[...FOR_NOTHING]}::text[])`)

/** Opens all gates that are closed for a reason. */
export const openGatesFor = (tx: Tx, reason: string): Promise<number> =>
  tx.run(sql`delete from provider_gates where reason = ${reason}`)

/**
 * Gates that were closed after the attempt was created. A probe is created later, so it may pass.
 */
const closedFor = sql`scope in (${accountOf(sql`attempts`)}, ${LINE_OF_ATTEMPT}, ${STORAGE})
  and closed_until > engine_now() and closed_at > attempts.created_at`
/** Condition under which an attempt's order may be sent. */
export const NO_CLOSED_GATE: Sql = sql`not exists (select 1 from provider_gates where ${closedFor})`

/**
 * Finds the closed gate that blocks a queued, due attempt, and how long its video has to wait: not at
 * all if only its account is closed, because another one may take it. `reason` is null if the gate was
 * opened in the meantime. Returns undefined if the attempt is not queued or not due.
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
 * Builds the column of a statement that adds the job for the videos that waited for a gate, if it
 * opened one (`opened`) or opened it further (`turned`, `widened`).
 */
export const releaseAfterOpening = (queue: Queue): Sql => sql`
  case when exists (select 1 from opened union all select 1 from turned union all select 1 from widened) then ${queue.adding([GATE_OPENED])} end`

/** Job that releases what is held for gates. Its key ensures that at most one is scheduled. */
export const GATE_OPENED: NewJob = { name: 'videos.gate-opened', payload: {}, key: 'gate opened' }

/**
 * Orders that are not proven yet: without a response, or without a clip where clips are in doubt. A lost
 * order counts with those that cannot be read.
 */
const UNPROVEN = sql`case when gate.reason = any(${[...PROVEN_BY.clip]}::text[])
  then state <> 'unknown' and not (state = 'fetching' and step_tries + fetch_tries > 0) else state in ('queued', 'submitting') end`

/** Builds a scalar query for all gates, as `Gate` of dispatch-plan.ts. */
export const allGates: Sql = sql`(
  select coalesce(json_agg(json_build_object('scope', scope, 'reason', reason, 'probeMs', probe_ms,
    'isHalfOpen', strikes > 0 and room = 1, 'isSlow', strikes = 0,
    'waitMs', extract(epoch from closed_until - engine_now())::float * 1000,
    'left', room - (select count(*) from attempts where state in (${ACTIVE}) and created_at > gate.closed_at
      and gate.scope in (${accountOf(sql`attempts`)}, ${LINE_OF_ATTEMPT}) and ${UNPROVEN}))), '[]')
  from provider_gates as gate)`

/** Condition that a gate is closed or lets only probes through. Others open already. */
export const IS_CLOSED: Sql = sql`strikes > 0 and room = 1`

/**
 * Removes the gates of accounts that have no usable key any more, and of providers that are not set up any
 * more, once their pause is over. No order would ever open them, and operators would see them for good.
 */
export async function forgetGates(
  deps: Pick<Deps, 'db' | 'provider' | 'otherProviders'>,
): Promise<void> {
  const all = allProviders(deps)
  // A provider that needs no key is an account of its own.
  const withoutKeys = all.filter(({ can }) => !can.needsCredential).map(({ kind }) => kind)
  const kept = [...all.flatMap(linesOf), ...withoutKeys, STORAGE]
  await deps.db.run(sql`
    delete from provider_gates where scope <> all(${kept}::text[])
      and closed_until < engine_now() and not exists (select 1 from credentials
        where account = scope and state <> 'dead' and removal_id is null)`)
}
