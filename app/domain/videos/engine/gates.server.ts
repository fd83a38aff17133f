import sql, { type Sql } from 'sql-template-tag'
import { excerpt } from '~/lib/text'
import { hours, minutes, seconds } from '~/lib/time'
import type { Executor, Tx } from '~/platform/db/port'
import type { NewJob, Queue } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { dispatchAfter } from '../line.server'
import { ACTIVE, IS_DUE } from './attempts.server'
import { accountOf } from './credentials.server'
import type { GateReason, HoldReason } from '../types'
import { STORAGE } from './storage-gate.server'

export const SERVICE = 'service'
/**
 * The gate of the host that serves finished clips. While the host is down, nothing new is ordered.
 */
export const CLIPS = 'clips'

/**
 * The first pause, the longest one (each strike doubles it), and the time between two probes. The
 * pauses after which a probe costs money grow the longest, so that a provider that takes money and
 * delivers nothing gets a few orders in an hour.
 */
const PAUSES = {
  'rate-limited': { first: seconds(30), most: seconds(240), probe: seconds(10) },
  quota: { first: hours(1), most: hours(1), probe: hours(1) },
  forbidden: { first: minutes(1), most: minutes(5), probe: minutes(1) },
  'model-gone': { first: minutes(1), most: minutes(5), probe: minutes(1) },
  down: { first: seconds(5), most: seconds(12), probe: seconds(12) },
  token: { first: seconds(60), most: seconds(60), probe: seconds(60) },
  unreadable: { first: minutes(1), most: hours(6), probe: minutes(1) },
  'no-clips': { first: minutes(1), most: hours(6), probe: minutes(1) },
  // The waiting clips are tried again meanwhile, and the first one that arrives opens the gate.
  clips: { first: minutes(5), most: minutes(30), probe: minutes(5) },
} as const satisfies Record<GateReason, { first: number; most: number; probe: number }>

type Closing = {
  scope: string
  reason: GateReason
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

/**
 * Closes a gate for a while and schedules a dispatch for the moment at which it may open. Returns
 * undefined if the failure is no news.
 */
export async function closeGate(
  { queue, settings }: Pick<Deps, 'queue' | 'settings'>,
  tx: Tx,
  { scope, reason, retryAfterMs, seen, attemptId }: Closing,
): Promise<Closed | undefined> {
  const { first, most, probe } = PAUSES[reason]
  const scale = settings.providerTimeScale
  const words = seen === undefined ? null : excerpt(seen, SEEN)
  const gate = await tx.row<{ waitMs: number; strikes: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, closed_at, seen)
    values (${scope}, ${reason},
      engine_now() + (${retryAfterMs ?? first * scale}::float * (1 + random() * 0.2)) * interval '1 millisecond',
      ${Math.round(probe * scale)}, engine_now(), ${words})
    on conflict (scope) do update set reason = excluded.reason, room = 1, seen = excluded.seen,
      strikes = gate.strikes + 1, probe_ms = excluded.probe_ms, closed_at = excluded.closed_at,
      closed_until = greatest(gate.closed_until, engine_now() + (case when ${retryAfterMs ?? null}::float is null
        then least(${most * scale}::float, ${first * scale}::float * power(2, least(gate.strikes, 10)))
        else ${retryAfterMs ?? 0}::float end * (1 + random() * 0.2)) * interval '1 millisecond')
    where gate.strikes = 0 or ${attemptId ?? null}::uuid is null
      or (select created_at from attempts where id = ${attemptId ?? null}::uuid) > gate.closed_at
    returning strikes, extract(epoch from closed_until - engine_now())::float * 1000 as "waitMs"`)
  if (!gate) {
    await prolong(queue, tx, { scope, retryAfterMs })
    return undefined
  }
  const waitMs = Math.max(0, gate.waitMs)
  // The second one is for a video that may be the probe only if no other video takes its place.
  await queue.add(tx, [dispatchAfter(waitMs), dispatchAfter(waitMs + probe * scale)])
  return { waitMs, wasOpen: gate.strikes === 1 }
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
const UNPROVEN = sql`case when gate.reason in ('clips', 'no-clips')
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
