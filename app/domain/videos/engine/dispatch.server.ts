import sql from 'sql-template-tag'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import { dispatchAfter } from '../line.server'
import type { StorageTrouble } from '../types'
import { applyPlan } from './apply-plan.server'
import { refusedDelay, type Refused } from './breaker.server'
import { planDispatch, type Gate, type Refusal, type Waiting } from './dispatch-plan'
import { survey } from './dispatch-survey.server'
import { closeForStorage } from './close-gate.server'
import { CLIPS, openStorage, SERVICE, STORAGE } from './gates.server'
import {
  DISPATCH_SOON,
  dispatchSoonIfSkipped,
  wakeDueAndReadState,
  nextInLine,
  roomOf,
} from './next-in-line.server'
import { findStorageTrouble } from './storage-trouble.server'

/** Maximum number of videos handed over in one transaction. */
const BATCH = 50

type DispatchDeps = Pick<Deps, 'db' | 'queue' | 'provider' | 'settings' | 'storage' | 'log'>

/**
 * Creates attempts for videos in the line, taking turns between users, until the caps are reached
 * or the line is empty. Only one process does this at a time. A process that does not get the lock
 * schedules another run and returns.
 */
export async function dispatchWaiting(deps: DispatchDeps): Promise<void> {
  for (;;) {
    const trouble = await findStorageTrouble(deps)
    const outcome = await deps.db.transaction((tx) => sendOff(deps, tx, trouble))
    if (outcome !== 'more') return
  }
}

/** Hands over one batch of videos. Returns whether there may be more to send. */
async function sendOff(
  deps: DispatchDeps,
  tx: Tx,
  trouble: StorageTrouble | undefined,
): Promise<'more' | 'done'> {
  const { queue } = deps
  const { isOurs } = await tx.one<{ isOurs: boolean }>(sql`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.dispatch}) as "isOurs"`)
  if (!isOurs) {
    await queue.add(tx, [DISPATCH_SOON])
    return 'done'
  }
  // Must be a separate statement after taking the lock, to see what the previous holder committed.
  const { active, gates, refused } = await wakeDueAndReadState(tx)
  if (trouble) {
    await closeForStorage(deps, tx, trouble)
    return 'done'
  }
  const storage = gates.find(({ scope }) => scope === STORAGE)
  const ofLine = gates.filter(({ scope }) => scope === SERVICE || scope === CLIPS)
  if ([...ofLine, ...(storage ? [storage] : [])].some(({ waitMs }) => waitMs > 0)) return 'done'
  if (storage) await openStorage(deps, tx)
  const yielding = notAsProbe(deps, ofLine, refused)
  const room = {
    ...roomOf(deps, active, Math.min(BATCH, ...ofLine.map(({ left }) => left))),
    without: yielding.map(({ videoId }) => videoId),
  }
  if (room.most === 0) return 'done'
  const waiting = await tx.rows<Waiting>(nextInLine(room))
  if (waiting.length > 0) {
    const refusals = refusalsOf(deps, gates, refused)
    const plan = planDispatch({ ...(await survey(deps, tx, waiting)), waiting, gates, refusals })
    if (plan.sends.length > 0) plan.probed.push(...ofLine.filter(({ isHalfOpen }) => isHalfOpen))
    await applyPlan(deps, tx, plan)
  }
  // If an entry was held instead of sent, the next one may be the probe.
  if (waiting.length === room.most) return 'more'
  if (waiting.length === 0 && yielding.length > 0) {
    await queue.add(tx, [dispatchAfter(Math.min(...yielding.map(({ restMs }) => restMs)))])
  }
  await dispatchSoonIfSkipped(deps, tx, room)
  return 'done'
}

/**
 * Returns the videos that may not be the probe of a gate of the whole line, because they were among
 * those that closed it, and for how long: if no other video takes their place for a while, they may.
 * The same holds for a line that starts: another video shows whether the provider is at fault.
 */
function notAsProbe(
  { settings }: Pick<Deps, 'settings'>,
  ofLine: readonly Gate[],
  refused: readonly Refused[],
): { videoId: string; restMs: number }[] {
  const yieldsMs = refusedDelay(1) * settings.providerTimeScale
  return ofLine
    .flatMap(({ reason, isHalfOpen, isSlow, waitMs, probeMs }) =>
      refused
        .filter(({ kind }) => kind === reason && (isHalfOpen || isSlow))
        .map(({ videoId, agoMs }) => ({
          videoId,
          restMs: isSlow ? yieldsMs - agoMs : waitMs + probeMs,
        })),
    )
    .filter(({ restMs }) => restMs > 0)
}

/**
 * Returns the accounts that are closed to single videos: those whose order the account refused, for
 * a pause of their own, and those that may not be the probe of its gate yet.
 */
function refusalsOf(
  { settings }: Pick<Deps, 'settings'>,
  gates: readonly Gate[],
  refused: readonly Refused[],
): Refusal[] {
  return refused
    .map(({ videoId, scope, kind, tries, agoMs }) => {
      const gate = gates.find((one) => one.scope === scope && one.reason === kind && one.isHalfOpen)
      const ownMs =
        kind === 'forbidden' ? refusedDelay(tries) * settings.providerTimeScale - agoMs : 0
      const waitMs = Math.max(ownMs, gate ? gate.waitMs + gate.probeMs : 0)
      return { videoId, scope, waitMs }
    })
    .filter(({ waitMs }) => waitMs > 0)
}
