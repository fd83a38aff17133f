import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { Deps } from '../../context'
import type { StorageTrouble } from '../types'
import { applyPlan } from './apply-plan.server'
import { costsMoney, refusedDelay, type Refused } from './breaker.server'
import { planDispatch, type Gate, type Refusal, type Waiting } from './dispatch-plan'
import { readCandidates } from './dispatch-candidates.server'
import { closeForStorage } from './close-gate.server'
import { linesOf, openStorage, serviceOf, startSlowly, STORAGE } from './gates.server'
import {
  DISPATCH_SOON,
  dispatchSoonIfSkipped,
  wakeDueAndReadState,
  nextInLine,
  roomOf,
  type Room,
} from './next-in-line.server'
import { findStorageTrouble } from './storage-trouble.server'

/** Maximum number of videos handed over in one transaction. */
const BATCH = 50
/**
 * How many orders may be unanswered at once while no recent one was accepted. An incident costs at most
 * twice as many, which decision 102 allows: these, and those that were unanswered when the line began to
 * start slowly.
 */
const FEW = 4
/** A dispatch that takes longer than this no longer knows whether recent orders were accepted. */
const OUTDATED_AFTER_MS = seconds(2)

/** Undoes a dispatch that took too long. */
class Outdated extends Error {}

type DispatchDeps = Pick<Deps, 'db' | 'queue' | 'provider' | 'settings' | 'storage' | 'log'>

/**
 * Creates attempts for videos in the line, taking turns between users, until the caps are reached
 * or the line is empty. Only one process does this at a time. A process that does not get the lock
 * schedules another run and returns.
 */
export async function dispatchWaiting(deps: DispatchDeps): Promise<void> {
  for (;;) {
    const trouble = await findStorageTrouble(deps)
    const outcome = await deps.db
      .transaction((tx) => dispatchNext(deps, tx, trouble))
      .catch((error: unknown) => startAgainSlowly(deps, error))
    if (outcome !== 'more') return
  }
}

/** Lets few orders through after a dispatch that was outdated. Throws any other error. */
async function startAgainSlowly(deps: DispatchDeps, error: unknown): Promise<'more'> {
  if (!(error instanceof Outdated)) throw error
  await deps.db.transaction((tx) => startSlowly(tx, fewOrders(deps)))
  return 'more'
}

const fewOrders = ({ provider }: DispatchDeps) =>
  ({ scope: serviceOf(provider), reason: 'unreadable', room: FEW }) as const

/**
 * Hands over one batch of videos. Returns whether there may be more to send. Throws `Outdated` if it took
 * too long.
 */
async function dispatchNext(
  deps: DispatchDeps,
  tx: Tx,
  trouble: StorageTrouble | undefined,
): Promise<'more' | 'done'> {
  const { queue, provider } = deps
  const { isOurs } = await tx.one<{ isOurs: boolean }>(sql`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.dispatch}) as "isOurs"`)
  if (!isOurs) {
    await queue.add(tx, [DISPATCH_SOON])
    return 'done'
  }
  // Must be a separate statement after taking the lock, to see what the previous holder committed.
  const readAt = performance.now()
  const state = await wakeDueAndReadState(deps, tx)
  const { gates, refused } = state
  if (trouble) {
    await closeForStorage(deps, tx, trouble)
    return 'done'
  }
  const storage = gates.find(({ scope }) => scope === STORAGE)
  const ofLine = gates.filter(({ scope }) => linesOf(provider).includes(scope))
  if ([...ofLine, ...(storage ? [storage] : [])].some(({ waitMs }) => waitMs > 0)) return 'done'
  if (storage) await openStorage(deps, tx)
  const room = {
    ...roomOf(deps, state, Math.min(BATCH, ...ofLine.map(({ left }) => left))),
    without: notAsProbe(ofLine, refused),
  }
  if (room.most === 0) return 'done'
  const waiting = await findNext(tx, room, { ofLine, refused })
  // Without a gate nothing limits how many leave at once.
  const isUnlimited = costsMoney(provider) && !isAmong(ofLine, serviceOf(provider))
  if (isUnlimited && !state.isAccepted && state.unanswered + waiting.length > FEW) {
    await startSlowly(tx, fewOrders(deps))
    return 'more'
  }
  if (waiting.length > 0) {
    const refusals = refusalsOf(deps, gates, refused)
    const plan = planDispatch({
      ...(await readCandidates(deps, tx, waiting)),
      waiting,
      gates,
      refusals,
    })
    if (plan.sends.length > 0) plan.probed.push(...ofLine.filter(({ isHalfOpen }) => isHalfOpen))
    await applyPlan(deps, tx, plan)
    if (isUnlimited && performance.now() - readAt > OUTDATED_AFTER_MS) throw new Outdated()
  }
  // If an entry was held instead of sent, the next one may be the probe.
  if (waiting.length === room.most) return 'more'
  await dispatchSoonIfSkipped(deps, tx, room)
  return 'done'
}

const isAmong = (gates: readonly Gate[], name: string): boolean =>
  gates.some(({ scope }) => scope === name)

/**
 * Returns the videos that may not be the probe of a gate of the whole line, because they were among
 * those that closed it. If no other video takes their place for a while, they may.
 */
const notAsProbe = (ofLine: readonly Gate[], refused: readonly Refused[]): string[] =>
  ofLine
    .filter(({ isHalfOpen, waitMs, probeMs }) => isHalfOpen && waitMs + probeMs > 0)
    .flatMap(({ reason }) => refused.filter(({ kind }) => kind === reason))
    .map(({ videoId }) => videoId)

/**
 * Returns the next videos. In a line that starts slowly those go last that have failed: another one
 * shows whether the provider is at fault.
 */
async function findNext(
  tx: Tx,
  room: Room,
  { ofLine, refused }: { ofLine: readonly Gate[]; refused: readonly Refused[] },
): Promise<Waiting[]> {
  const last = ofLine
    .filter(({ isSlow }) => isSlow)
    .flatMap(({ reason }) => refused.filter(({ kind }) => kind === reason))
    .map(({ videoId }) => videoId)
  if (last.length > 0) {
    const without = [...(room.without ?? []), ...last]
    const others = await tx.rows<Waiting>(nextInLine({ ...room, without }))
    if (others.length > 0) return others
  }
  return tx.rows<Waiting>(nextInLine(room))
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
