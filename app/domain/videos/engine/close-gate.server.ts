import sql, { type Sql } from 'sql-template-tag'
import { excerpt } from '~/lib/text'
import type { Tx } from '~/platform/db/port'
import type { Queue } from '~/platform/queue/port'
import type { Deps } from '../../context'
import { DISPATCH_NOW, dispatchAfter } from '../line.server'
import type { GateReason, StorageTrouble } from '../types'
import { FOR_NOTHING, pauseAfter, policyFor, type GatePolicy, type Strikes } from './gate-policies'
import { serviceOf, STORAGE } from './gates.server'

// How a gate is closed, and closed again. gates.server.ts says how it opens.

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
  /** How many videos in a row have been paid for nothing, if that is the reason. */
  forNothing?: number
}

/** Characters of the provider's answer that operators see. */
const SEEN = 300

/** How long a gate is closed, and whether it was open until now. */
type Closed = { waitMs: number; wasOpen: boolean }

type ClosingDeps = Pick<Deps, 'queue' | 'provider' | 'otherProviders' | 'settings' | 'log'>

/**
 * Closes a gate for a while and schedules a dispatch for the moment at which it may open. Returns
 * undefined if the failure is no news.
 */
export async function closeGate(
  { queue, provider, otherProviders, settings, log }: ClosingDeps,
  tx: Tx,
  { scope, reason, retryAfterMs, seen, attemptId, forNothing = 0 }: Closing,
): Promise<Closed | undefined> {
  const policy = policyFor(reason, settings)
  const { probe, isProbedByClips } = policy
  const words = seen === undefined ? null : excerpt(seen, SEEN)
  const isOther = isProbedByClips ? sql`gate.reason <> excluded.reason` : sql`false`
  const { keeps, strikes, vain } = following(reason, isOther)
  const isLine = scope === serviceOf(provider)
  const until = (after: Omit<Strikes, 'isLine'>) =>
    pauseEnd(policy, { ...after, isLine }, retryAfterMs)
  const first = until({ strikes: sql`1`, forNothing: sql`${forNothing}::int` })
  const gate = await tx.row<{ waitMs: number; strikes: number }>(sql`
    insert into provider_gates as gate (scope, reason, closed_until, probe_ms, closed_at, seen, for_nothing)
    values (${scope}, ${reason}, ${first}, ${Math.round(probe)}, engine_now(), ${words}, ${forNothing}::int)
    on conflict (scope) do update set room = 1, closed_at = excluded.closed_at,
      reason = case when ${keeps} then gate.reason else excluded.reason end,
      seen = case when ${keeps} then gate.seen else excluded.seen end,
      probe_ms = case when ${keeps} then gate.probe_ms else excluded.probe_ms end,
      strikes = ${strikes}, for_nothing = ${vain},
      closed_until = case when ${isOther} then excluded.closed_until
        else greatest(gate.closed_until, ${until({ strikes, forNothing: vain })}) end
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
  // The line notes since when its provider takes no orders.
  if (wasOpen && otherProviders.length > 0) await queue.add(tx, [DISPATCH_NOW])
  return { waitMs, wasOpen }
}

/**
 * Builds what a gate becomes that is closed again. One that was closed because orders were paid for
 * nothing keeps that reason, and the stricter proof, whatever its probes meet: otherwise an order that
 * is only accepted would open it.
 */
function following(reason: string, isOther: Sql): { keeps: Sql; strikes: Sql; vain: Sql } {
  const wasVain = sql`(gate.strikes > 0 and gate.reason = any(${[...FOR_NOTHING]}::text[]))`
  if (!FOR_NOTHING.includes(reason)) {
    const strikes = sql`case when ${isOther} then 1 when ${wasVain} then gate.strikes else gate.strikes + 1 end`
    return { keeps: wasVain, strikes, vain: sql`gate.for_nothing` }
  }
  return {
    keeps: sql`(${wasVain} and gate.reason = 'no-clips')`,
    strikes: sql`(case when ${wasVain} then gate.strikes + 1 else 1 end)`,
    vain: sql`(case when ${wasVain} then gate.for_nothing + 1 else excluded.for_nothing end)`,
  }
}

/**
 * Builds the end of a pause. Waiting clips are tried again after it, and have the time of a probe
 * before anything is ordered. Orders are sent a little later, so that they do not come all at once.
 */
const pauseEnd = (policy: GatePolicy, after: Strikes, retryAfterMs: number | undefined): Sql => {
  const { probe, isProbedByClips } = policy
  const pause = retryAfterMs === undefined ? pauseAfter(policy, after) : sql`${retryAfterMs}::float`
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
