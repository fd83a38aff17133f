import sql, { type Sql } from 'sql-template-tag'
import { excerpt } from '~/lib/text'
import type { Executor, Tx } from '~/platform/db/port'
import type { NewJob, Queue } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { dispatchAfter } from '../line.server'
import { ACTIVE, IS_DUE } from './attempts.server'
import { accountOf } from './credentials.server'
import type { GateReason, HoldReason, StorageTrouble } from '../types'
import { OPEN_AT_ONCE, policyFor, PROVEN_BY, type GatePolicy } from './gate-policies'

export const SERVICE = 'service'
/**
 * The gate of the host that serves finished clips. While the host is down, nothing new is ordered.
 */
export const CLIPS = 'clips'

/** The gate of our own storage. No provider account has this name. */
export const STORAGE = 'our storage'

// The circuit breaker. Only this module writes gates; gate-policies.ts says how each one pauses and
// opens, breaker.server.ts which failures close one in numbers.

type Closing = {
  scope: string
  reason: GateReason | StorageTrouble
  retryAfterMs?: number | undefined
  /** The provider's answer, redacted: shown to operators. */
  seen?: string | undefined
  /**
   * The attempt that failed. If it is from before the gate was closed, its order was under way
   * already: its failure is no news, and only a longer pause that the provider asks for counts.
   */
  attemptId?: string | undefined
}

/** Characters of the provider's answer that operators see. */
const SEEN = 300

/** How long a gate is closed, and whether it was open until now. */
type Closed = { waitMs: number; wasOpen: boolean }

type ClosingDeps = Pick<Deps, 'queue' | 'settings' | 'log'>

/**
 * Closes a gate for a while and schedules a dispatch for the moment at which it may open. Returns
 * undefined if the failure is no news.
 */
export async function closeGate(
  { queue, settings, log }: ClosingDeps,
  tx: Tx,
  { scope, reason, retryAfterMs, seen, attemptId }: Closing,
): Promise<Closed | undefined> {
  const policy = policyFor(reason, settings)
  const { probe, isProbedByClips } = policy
  const words = seen === undefined ? null : excerpt(seen, SEEN)
  const isOther = isProbedByClips ? sql`gate.reason <> excluded.reason` : sql`false`
  const again = sql`case when ${isOther} then 1 else gate.strikes + 1 end`
  const until = (strikes: Sql) => pauseEnd(policy, strikes, retryAfterMs)
  const gate = await tx.row<{ waitMs: number; strikes: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, closed_at, seen)
    values (${scope}, ${reason}, ${until(sql`1`)}, ${Math.round(probe)}, engine_now(), ${words})
    on conflict (scope) do update set reason = excluded.reason, room = 1, seen = excluded.seen,
      strikes = ${again}, probe_ms = excluded.probe_ms, closed_at = excluded.closed_at,
      closed_until = case when ${isOther} then excluded.closed_until
        else greatest(gate.closed_until, ${until(sql`gate.strikes + 1`)}) end
    where gate.strikes = 0 or ${isOther} or coalesce(
      (select created_at from attempts where id = ${attemptId ?? null}::uuid) > gate.closed_at,
      gate.closed_until <= engine_now() + gate.probe_ms * interval '1 millisecond')
    returning strikes, extract(epoch from closed_until - engine_now())::float * 1000 as "waitMs"`)
  if (!gate) {
    await prolong(queue, tx, { scope, retryAfterMs })
    return undefined
  }
  const waitMs = Math.max(0, gate.waitMs)
  const wasOpen = gate.strikes === 1
  if (wasOpen && reason !== 'rate-limited') log.error({ scope, reason, seen }, 'a gate is closed')
  // The second one is for a video that may be the probe only if no other video takes its place.
  await queue.add(tx, [dispatchAfter(waitMs), dispatchAfter(waitMs + probe)])
  return { waitMs, wasOpen }
}

/**
 * Builds the end of a pause. Waiting clips are tried again after it, and have the time of a probe
 * before anything is ordered. Orders are sent a little later, so that they do not come all at once.
 */
const pauseEnd = (
  { first, most, probe, isProbedByClips }: GatePolicy,
  strikes: Sql,
  retryAfterMs: number | undefined,
): Sql => {
  const pause =
    retryAfterMs === undefined
      ? sql`least(${most}::float, ${first}::float * power(2, least(${strikes}, 11) - 1))`
      : sql`${retryAfterMs}::float`
  const inAll = isProbedByClips
    ? sql`${pause} + ${probe}::float`
    : sql`${pause} * (1 + random() * 0.2)`
  return sql`engine_now() + (${inAll}) * interval '1 millisecond'`
}

/** Keeps a gate closed for as long as the provider asks for, if that is longer than its pause. */
async function prolong(
  queue: Queue,
  tx: Tx,
  { scope, retryAfterMs }: Pick<Closing, 'scope' | 'retryAfterMs'>,
): Promise<void> {
  if (retryAfterMs === undefined) return
  const until = sql`engine_now() + ${retryAfterMs}::float * interval '1 millisecond'`
  const prolonged = await tx.run(sql`
    update provider_gates set closed_until = ${until} where scope = ${scope} and closed_until < ${until}`)
  if (prolonged > 0) await queue.add(tx, [dispatchAfter(retryAfterMs)])
}

/**
 * Closes the gate of the storage. Returns the pause before a waiting clip is tried again, in
 * milliseconds. Concurrent failures count as one strike; another reason begins with its first pause.
 */
export async function closeForStorage(
  deps: ClosingDeps,
  tx: Tx,
  reason: StorageTrouble,
): Promise<number> {
  await closeGate(deps, tx, { scope: STORAGE, reason })
  const gate = await tx.row<{ reason: StorageTrouble; strikes: number }>(sql`
    select reason, strikes from provider_gates where scope = ${STORAGE}`)
  const { first, most } = policyFor(gate?.reason ?? reason, deps.settings)
  return Math.min(most, first * 2 ** ((gate?.strikes ?? 1) - 1))
}

/** Opens the gate of the storage after a look that found nothing wrong. */
export async function openStorage({ log }: Pick<Deps, 'log'>, tx: Tx): Promise<void> {
  if ((await tx.run(sql`delete from provider_gates where scope = ${STORAGE}`)) > 0)
    log.info('clips can be stored again')
}

/** With room for this many unproven orders the next success opens a gate. */
const FULL_ROOM = 8

type Proof = {
  /** What was proven: the keys of `PROVEN_BY`. */
  by: keyof typeof PROVEN_BY
  scopes: readonly string[]
}

/**
 * Builds the parts of a statement that open gates, `opened`, or double their room, `widened`. The part
 * `from` has a row with `created_at` if there is a proof. An order from before a gate was closed does
 * not open it: it says nothing about the time since.
 */
export const openingGates = (from: Sql, { by, scopes }: Proof): Sql => {
  const proven = sql`scope = any(${[...scopes]}::text[]) and reason = any(${[...PROVEN_BY[by]]}::text[])
      and closed_at < proof.created_at`
  const opensFully = sql`(room >= ${FULL_ROOM} or reason = any(${[...OPEN_AT_ONCE]}::text[]))`
  return sql`
  opened as (
    delete from provider_gates using ${from} as proof where ${proven} and ${opensFully} returning scope
  ), widened as (
    update provider_gates set room = room * 2, closed_until = least(closed_until, closed_at)
    from ${from} as proof where ${proven} and not ${opensFully} returning scope
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

/** Lets only `room` unproven orders at once through a gate that is not closed. */
export const startSlowly = (tx: Tx, { scope, reason, room }: Start): Promise<number> =>
  tx.run(sql`
    insert into provider_gates as gate (scope, reason, closed_until, closed_at, probe_ms, strikes, room)
    values (${scope}, ${reason}, engine_now(), engine_now(), 0, 0, ${room}::int)
    on conflict (scope) do update set room = excluded.room, closed_at = excluded.closed_at
    where gate.strikes = 0`)

/** Ends a pause, so that the next order is a probe. Returns whether the gate was closed. */
export const endPause = async (tx: Tx, scope: string): Promise<boolean> =>
  (await tx.run(sql`
    update provider_gates set closed_until = engine_now()
    where scope = ${scope} and closed_until > engine_now()`)) > 0

/** Opens all gates that are closed for a reason. */
export const openGatesFor = (tx: Tx, reason: string): Promise<number> =>
  tx.run(sql`delete from provider_gates where reason = ${reason}`)

/**
 * Gates that were closed after the attempt was created. A probe is created later, so it may pass.
 */
const closedFor = sql`scope in (${accountOf(sql`attempts`)}, ${SERVICE}, ${CLIPS}, ${STORAGE})
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
 * opened one (`opened`) or opened it further (`widened`).
 */
export const releaseAfterOpening = (queue: Queue): Sql => sql`
  case when exists (select 1 from opened) or exists (select 1 from widened) then ${queue.adding([GATE_OPENED])} end`

/** Job that releases what is held for gates. Its key ensures that at most one is scheduled. */
const GATE_OPENED: NewJob = { name: 'videos.gate-opened', payload: {}, key: 'gate opened' }

/** Orders that are not proven yet: without a response, or without a clip where clips are in doubt. */
const UNPROVEN = sql`case when gate.reason = any(${[...PROVEN_BY.clip]}::text[])
  then not (state = 'fetching' and step_tries + fetch_tries > 0) else state in ('queued', 'submitting') end`

/** Builds a scalar query for all gates, as `Gate` of dispatch-plan.ts. */
export const allGates: Sql = sql`(
  select coalesce(json_agg(json_build_object('scope', scope, 'reason', reason, 'probeMs', probe_ms,
    'isHalfOpen', strikes > 0 and room = 1,
    'waitMs', extract(epoch from closed_until - engine_now())::float * 1000,
    'left', room - (select count(*) from attempts where state in (${ACTIVE}) and created_at > gate.closed_at
      and (gate.scope in (${SERVICE}, ${CLIPS}) or ${accountOf(sql`attempts`)} = gate.scope) and ${UNPROVEN}))), '[]')
  from provider_gates as gate)`

/** Condition that a gate is closed or lets only probes through. Others open already. */
export const IS_CLOSED: Sql = sql`strikes > 0 and room = 1`

/**
 * Removes the gates of accounts that have no usable key any more, once their pause is over. No order
 * would ever open them, and operators would see them for good.
 */
export async function forgetGates({ db, provider }: Pick<Deps, 'db' | 'provider'>): Promise<void> {
  if (!provider.can.needsCredential) return
  await db.run(sql`
    delete from provider_gates where scope not in (${SERVICE}, ${CLIPS}, ${STORAGE})
      and closed_until < engine_now() and not exists (select 1 from credentials
        where account = scope and state <> 'dead' and removal_id is null)`)
}
