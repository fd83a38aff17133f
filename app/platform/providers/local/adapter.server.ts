import fs from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '~/lib/error-facts'
import { writeDurably } from '~/lib/write-durably.server'
import { defineProvider } from '../definition'
import { notAnAssetOf } from '../http/scope'
import {
  ProviderError,
  type Acceptance,
  type AssetRef,
  type Capabilities,
  type OrderRef,
  type PollResult,
  type SubmitCall,
  type VideoProvider,
  type VideoRequest,
} from '../port'
import { copyClip } from './copy-clip.server'
import {
  askedAgoMs,
  claim,
  clipIsReady,
  isOrderId,
  MOST_CRASHES,
  noteAsked,
  orderFolder,
  orMissing,
  readCrashes,
  readRank,
  readProgress,
  readStill,
  removeOrder,
  type OrderFolder,
  type Rank,
  type Progress,
} from './order-folder.server'
import { openRenderers } from './renderers.server'
import { settings, type LocalConfig } from './settings.server'

/** The duration of a rendering on two idle processors. */
const EXPECTED_MS = 6_000
/** Orders that wait for a free renderer. Few, because a submitted order is not stopped. */
const WAITING = 1
const EXTRA_FOR_SINGLES = 4
const ACCOUNT = 'local'

/** Per renderer, one order is rendered while the previous clip is being stored. */
const capabilities = (concurrency: number): Capabilities => ({
  durations: [4, 5, 6, 7, 8],
  texts: { negativePrompt: 'native' },
  takesPictures: true,
  takesEndPictures: true,
  recover: 'client-id',
  ordersAgain: false,
  needsCredential: false,
  // On an overloaded machine a rendering of seconds takes minutes.
  deadlineMs: 20 * 60_000,
  deadlineFrom: 'rendering',
  clipsKeptMs: 24 * 3_600_000,
  expectedMs: EXPECTED_MS,
  atOnce: concurrency,
  maxInFlight: 2 * concurrency + WAITING,
  extraForSingles: EXTRA_FOR_SINGLES,
})

/** The built-in preview renderer, for the registry. */
export const local = defineProvider('local', settings, localProvider)

/**
 * Creates the built-in provider, which draws the prompt as a short animation on this machine. An order is
 * a folder in `ordersDir`, so it survives the process. Renderers are child processes; `stop` ends
 * them.
 */
export function localProvider(config: LocalConfig): VideoProvider & { stop(): Promise<void> } {
  // Stored assets contain absolute paths, which are valid wherever the next process is started.
  const ordersDir = path.resolve(config.ordersDir)
  const renderers = openRenderers({ ...config, ordersDir })
  const folderOf = (id: string): OrderFolder => orderFolder(ordersDir, id)
  const refOf = (id: string): OrderRef => ({
    provider: 'local',
    accountScope: ACCOUNT,
    model: config.model,
    id,
  })
  return {
    kind: 'local',
    model: config.model,
    can: capabilities(config.concurrency),
    async submit(request, _credential, call) {
      if (call.signal.aborted) throw transient('not-sent', 'the call was given up')
      await placeOrder(folderOf(call.attemptId), request, call)
      renderers.look()
      return refOf(call.attemptId)
    },
    poll: (ref) =>
      asking(async () => {
        const folder = folderOf(ref.id)
        const state = await stateOf(folder)
        if (state !== 'open') return state
        if (!(await noteAsked(folder))) return GONE
        renderers.look()
        const [note, still] = [await readProgress(folder), await readStill(folder)]
        return pending(note, still, config.timeScale)
      }),
    fetch: async ({ asset }, _credential, into) => ({
      bytes: await copyClip(fileOf(asset, ordersDir), into),
    }),
    // The process that renders the order notices that it is gone, and stops.
    forget: (ref) => removeOrder(folderOf(ref.id)),
    withdraw: async (ref) => {
      const folder = folderOf(ref.id)
      // Claimed as a renderer would, so that none starts meanwhile.
      if ((await clipIsReady(folder)) || !(await claim(folder))) return false
      await removeOrder(folder)
      return true
    },
    find: ({ attemptId }) =>
      asking(async () => {
        const rank = await readRank(folderOf(attemptId))
        if (rank === null) return { found: 'nothing', settled: true }
        return { found: 'order', ref: refOf(attemptId) }
      }),
    tidy: (olderThanMs) => removeOldOrders(ordersDir, olderThanMs),
    stop: () => renderers.stop(),
  }
}

/** Removes orders that no worker has polled recently: a worker polls its orders every few seconds. */
async function removeOldOrders(ordersDir: string, olderThanMs: number): Promise<void> {
  for (const name of (await orMissing(fs.readdir(ordersDir), [])).filter(isOrderId)) {
    const folder = orderFolder(ordersDir, name)
    // The folder of an order that was being placed or removed has no order file.
    const agoMs = (await askedAgoMs(folder)) ?? Date.now() - (await fs.stat(folder.dir)).mtimeMs
    if (agoMs >= olderThanMs) await removeOrder(folder)
  }
}

/** Reports a folder that cannot be read as a failed request, not as a failed order. */
async function asking<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw transient('accepted', messageOf(error))
  }
}

/** Writes the order. An existing order is left unchanged. */
async function placeOrder(
  folder: OrderFolder,
  request: VideoRequest,
  { lane, mayStart }: SubmitCall,
): Promise<void> {
  try {
    if ((await readRank(folder)) !== null) return
    await fs.mkdir(folder.dir, { recursive: true })
    const hasPicture = request.picture !== undefined
    if (request.picture) await writeDurably(folder.picture, request.picture)
    const hasEndPicture = request.endPicture !== undefined
    if (request.endPicture) await writeDurably(folder.endPicture, request.endPicture)
    if (!(await mayStart())) throw transient('not-sent', 'it was too late to send the order')
    const { prompt, negativePrompt, aspectRatio, seed } = request
    const durationSeconds = Math.min(8, Math.max(4, Math.round(request.durationSeconds)))
    const order = { prompt, negativePrompt, aspectRatio, durationSeconds, seed }
    const rank: Rank = { lane, placedAt: Date.now() }
    const content = { ...order, hasPicture, hasEndPicture, ...rank }
    await writeDurably(folder.order, JSON.stringify(content))
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw transient('unknown', `the order could not be written: ${messageOf(error)}`)
  }
}

/**
 * The order is unknown here, for example after a restore from a backup, which contains no orders.
 * The video is ordered again: a rendering costs nothing.
 */
const GONE: PollResult = {
  state: 'failed',
  fault: { kind: 'transient' },
  evidence: { message: 'there is no such order' },
}

async function stateOf(folder: OrderFolder): Promise<PollResult | 'open'> {
  if ((await readRank(folder)) === null) return GONE
  if (await clipIsReady(folder)) {
    return { state: 'succeeded', assets: [{ at: 'file', path: folder.clip }] }
  }
  const crashes = await readCrashes(folder)
  if (crashes.count < MOST_CRASHES) return 'open'
  return {
    state: 'failed',
    fault: { kind: 'permanent', reason: 'other' },
    evidence: { message: `the renderer failed ${crashes.count} times: ${crashes.message}` },
  }
}

/** The pause until the first still should exist. */
const STILL_MS = 300

/**
 * Schedules the next poll for when there should be a still, then for when half of the rest should
 * be done, near the end for all of it.
 */
function pending(note: Progress | null, still: Buffer | undefined, timeScale: number): PollResult {
  if (note === null) {
    return { state: 'pending', phase: 'queued', pollAfterMs: Math.round(1_000 * timeScale) }
  }
  const { progress, restMs } = note
  const rest = restMs ?? EXPECTED_MS
  const later = rest > 1_500 ? Math.min(2_000, rest / 2) : Math.max(100, rest)
  const waitMs = still ? later : Math.min(later, STILL_MS)
  return {
    state: 'pending',
    phase: 'running',
    progress,
    ...(still && { still }),
    pollAfterMs: Math.round(waitMs * timeScale),
  }
}

function fileOf(asset: AssetRef, ordersDir: string): string {
  const inside = asset.at === 'file' && path.resolve(asset.path).startsWith(ordersDir + path.sep)
  if (inside) return asset.path
  throw notAnAssetOf('the local provider')
}

function transient(acceptance: Acceptance, message: string): ProviderError {
  return new ProviderError({ kind: 'transient' }, acceptance, { message })
}
