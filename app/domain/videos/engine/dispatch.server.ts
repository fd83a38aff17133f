import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'
import { ADVISORY_LOCKS } from '~/platform/db/locks'
import type { Tx } from '~/platform/db/port'
import type { VideoProvider } from '~/platform/providers/port'
import type { Deps } from '../../context'
import { boundTo } from '../../providers.server'
import type { StorageTrouble } from '../types'
import { applyPlan } from './apply-plan.server'
import { costsMoney, refusedDelay, type Refused } from './breaker.server'
import { planDispatch, type Gate, type Plan, type Refusal, type Waiting } from './dispatch-plan'
import { readCandidates } from './dispatch-candidates.server'
import { closeForStorage } from './close-gate.server'
import { linesOf, openStorage, serviceOf, startSlowly, STORAGE } from './gates.server'
import {
  DISPATCH_SOON,
  dispatchSoonIfSkipped,
  wakeDueAndReadState,
  nextInLine,
  roomOf,
  type LineState,
  type Room,
} from './next-in-line.server'
import { noteUnheard, turnsOf, type Turn } from './routes.server'
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

/** Undoes a dispatch that took too long, to this provider. */
class Outdated extends Error {
  constructor(readonly provider: VideoProvider) {
    super('the dispatch took too long')
  }
}

type DispatchDeps = Pick<
  Deps,
  'db' | 'queue' | 'provider' | 'otherProviders' | 'settings' | 'storage' | 'log'
>

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
  await deps.db.transaction((tx) => startSlowly(tx, fewOrders(error.provider)))
  return 'more'
}

const fewOrders = (provider: VideoProvider) =>
  ({ scope: serviceOf(provider), reason: 'unreadable', room: FEW }) as const

type Outcome = 'more' | 'done'

/**
 * Hands over one batch of videos to each provider for which some wait. Returns whether there may be more
 * to send. Throws `Outdated` if it took too long.
 */
async function dispatchNext(
  deps: DispatchDeps,
  tx: Tx,
  trouble: StorageTrouble | undefined,
): Promise<Outcome> {
  const { queue } = deps
  const { isOurs } = await tx.one<{ isOurs: boolean }>(sql`
    select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.dispatch}) as "isOurs"`)
  if (!isOurs) {
    await queue.add(tx, [DISPATCH_SOON])
    return 'done'
  }
  // Must be a separate statement after taking the lock, to see what the previous holder committed.
  const readAt = performance.now()
  const state = await noteUnheard(deps, tx, await wakeDueAndReadState(deps, tx))
  const { gates } = state
  if (trouble) {
    await closeForStorage(deps, tx, trouble)
    return 'done'
  }
  const storage = gates.find(({ scope }) => scope === STORAGE)
  if (storage && storage.waitMs > 0) return 'done'
  if (storage) await openStorage(deps, tx)
  const turns = await turnsOf(deps, tx, state)
  let sent = 0
  let outcome: Outcome = 'done'
  for (const turn of turns) {
    const after = await dispatchTo(boundTo(deps, turn.provider), tx, {
      turn,
      state,
      readAt,
      sent,
    })
    sent += after.sent
    if (after.outcome === 'more') outcome = 'more'
    // What was read of its gates is not true any more.
    if (turn.isProbe && after.sent > 0) return 'more'
  }
  return outcome
}

type Handing = {
  turn: Turn
  state: LineState
  /** How many videos were handed over since the state was read. */
  sent: number
  readAt: number
}

/** Hands over one batch of videos to a provider. Throws `Outdated` if that took too long. */
async function dispatchTo(
  deps: DispatchDeps,
  tx: Tx,
  { turn, state, sent, readAt }: Handing,
): Promise<{ outcome: Outcome; sent: number }> {
  const { provider } = deps
  const { gates, refused } = state
  const nothing = { outcome: 'done', sent: 0 } as const
  const ofLine = gates.filter(({ scope }) => linesOf(provider).includes(scope))
  if (ofLine.some(({ waitMs }) => waitMs > 0)) return nothing
  const load = state.loads.find(({ kind }) => kind === provider.kind)
  // Orders of which nothing is heard keep the places of their own provider only.
  const counted = state.loads.filter((one) => one === load || !one.isUnheard)
  const active = counted.reduce((all, one) => all + one.active, sent)
  const most = Math.min(turn.isProbe ? 1 : BATCH, ...ofLine.map(({ left }) => left))
  const room = {
    ...roomOf(deps, { active, activeHere: load?.active ?? 0 }, most),
    routes: turn.routes,
    withoutPictures: provider.can.takesPictures ? [] : turn.guests,
    withoutEndPictures: provider.can.takesEndPictures ? [] : turn.guests,
    without: notAsProbe(ofLine, refused),
  }
  if (room.most === 0) return nothing
  const waiting = await findNext(tx, room, { ofLine, refused })
  // Without a gate nothing limits how many leave at once.
  const isUnlimited = costsMoney(provider) && !isAmong(ofLine, serviceOf(provider))
  if (isUnlimited && !load?.isAccepted && (load?.unanswered ?? 0) + waiting.length > FEW) {
    await startSlowly(tx, fewOrders(provider))
    return { outcome: 'more', sent: 0 }
  }
  const plan = await planFor(deps, tx, { waiting, state, turn })
  if (plan.sends.length > 0) plan.probed.push(...ofLine.filter(({ isHalfOpen }) => isHalfOpen))
  if (waiting.length > 0) {
    await applyPlan(deps, tx, plan)
    if (isUnlimited && performance.now() - readAt > OUTDATED_AFTER_MS) throw new Outdated(provider)
  }
  const after = { sent: plan.sends.length }
  if (turn.isProbe) return { outcome: 'done', ...after }
  // If an entry was held instead of sent, the next one may be the probe.
  if (waiting.length === room.most) return { outcome: 'more', ...after }
  await dispatchSoonIfSkipped(deps, tx, room)
  return { outcome: 'done', ...after }
}

type Planning = Pick<Handing, 'turn' | 'state'> & { waiting: Waiting[] }

/** Plans what becomes of the next videos. Who has a stand-in is not held where only a probe may go. */
async function planFor(
  deps: DispatchDeps,
  tx: Tx,
  { waiting, state: { gates, refused }, turn }: Planning,
): Promise<Plan> {
  if (waiting.length === 0) return { sends: [], holds: [], assignments: [], probed: [] }
  const refusals = refusalsOf(deps, gates, refused)
  const candidates = await readCandidates(deps, tx, waiting)
  const { guests } = turn
  const plan = planDispatch({ ...candidates, waiting, guests, gates, refusals })
  return turn.isProbe ? { ...plan, holds: [] } : plan
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
