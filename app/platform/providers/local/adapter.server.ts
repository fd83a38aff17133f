import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  ProviderError,
  type Acceptance,
  type AssetRef,
  type Capabilities,
  type FetchInto,
  type JobRef,
  type PollResult,
  type VideoProvider,
  type VideoRequest,
} from '../port'
import {
  clipIsReady,
  isMissing,
  isOrderId,
  orderFolder,
  readCrashes,
  readOrder,
  readProgress,
  writeDurably,
  type OrderFolder,
} from './order-folder.server'
import { beats, openRenderers } from './renderers.server'

export type LocalConfig = {
  /** Folder of the orders; created when missing. Worker processes may share it. */
  ordersDir: string
  /** Path of the built `jobs/render-clip` file. */
  rendererEntry: string
  /** Clips rendered at once by this process. */
  concurrency: number
  /** Model id shown on the video. */
  model: string
  /** Multiplies `pollAfterMs`. */
  timeScale: number
}

const CAN: Capabilities = {
  durations: [4, 5, 6, 7, 8],
  negativePrompt: 'native',
  recover: 'client-id',
  needsCredential: false,
  deadlineMs: 5 * 60_000,
  expectedMs: 6_000,
}
/** A crash may be the machine's fault; three are the order's. */
const MOST_CRASHES = 3
const ACCOUNT = 'local'

/**
 * The built-in provider: draws the prompt as a short film on this machine. An order is a folder
 * under `ordersDir`, so it outlives the process; renderers are child processes, ended by `stop`.
 */
export function localProvider(config: LocalConfig): VideoProvider & { stop(): Promise<void> } {
  // Stored assets name absolute paths: they hold whatever folder the next process starts in.
  const ordersDir = path.resolve(config.ordersDir)
  const renderers = openRenderers({ ...config, ordersDir })
  const folderOf = (id: string): OrderFolder => orderFolder(ordersDir, id)
  const refOf = (id: string): JobRef => ({
    provider: 'local',
    accountScope: ACCOUNT,
    model: config.model,
    id,
  })
  return {
    kind: 'local',
    model: config.model,
    can: CAN,
    async submit(request, _credential, { attemptId, signal }) {
      if (signal.aborted) throw transient('not-sent', 'the call was given up')
      await placeOrder(folderOf(attemptId), request)
      renderers.want(attemptId)
      return refOf(attemptId)
    },
    poll: (ref) =>
      asking(async () => {
        const folder = folderOf(ref.id)
        const state = await stateOf(folder)
        if (state !== 'open') return state
        if (!(await beats(folder))) renderers.want(ref.id)
        const note = renderers.isWaiting(ref.id) ? null : await readProgress(folder)
        return pending(note?.progress ?? null, config.timeScale)
      }),
    fetch: async ({ asset }, _credential, into) => {
      return { bytes: await streamFile(fileOf(asset, ordersDir), into) }
    },
    forget: (ref) => fs.rm(folderOf(ref.id).dir, { recursive: true, force: true }),
    find: ({ attemptId }) =>
      asking(async () => {
        const order = await readOrder(folderOf(attemptId))
        if (order === null) return { found: 'nothing', settled: true }
        return { found: 'job', ref: refOf(attemptId) }
      }),
    tidy: (olderThanMs) => removeEndedOrders(ordersDir, olderThanMs),
    stop: () => renderers.stop(),
  }
}

/** Orders under way stay, however old. */
async function removeEndedOrders(ordersDir: string, olderThanMs: number): Promise<void> {
  const names = await fs.readdir(ordersDir).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const name of names.filter(isOrderId)) {
    const folder = orderFolder(ordersDir, name)
    const { mtimeMs } = await fs.stat(folder.dir)
    if (Date.now() - mtimeMs < olderThanMs || !(await isOver(folder))) continue
    await fs.rm(folder.dir, { recursive: true, force: true })
  }
}

async function isOver(folder: OrderFolder): Promise<boolean> {
  return (await clipIsReady(folder)) || (await readCrashes(folder)).count >= MOST_CRASHES
}

/** A folder that cannot be read says nothing about the order in it. */
async function asking<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw transient('accepted', wordsOf(error))
  }
}

/** Writes the order; one that is there already stays as it is. */
async function placeOrder(folder: OrderFolder, request: VideoRequest): Promise<void> {
  try {
    await fs.mkdir(folder.dir, { recursive: true })
    if ((await readOrder(folder)) !== null) return
    const { prompt, negativePrompt, aspectRatio, seed } = request
    const durationSeconds = Math.min(8, Math.max(4, Math.round(request.durationSeconds)))
    const order = { prompt, negativePrompt, aspectRatio, durationSeconds, seed }
    await writeDurably(folder.order, JSON.stringify(order))
  } catch (error) {
    throw transient('unknown', `the order could not be written: ${wordsOf(error)}`)
  }
}

async function stateOf(folder: OrderFolder): Promise<PollResult | 'open'> {
  if ((await readOrder(folder)) === null) {
    const fault = { kind: 'permanent', reason: 'job-gone' } as const
    throw new ProviderError(fault, 'accepted', { message: 'there is no such order' })
  }
  if (await clipIsReady(folder)) {
    return { state: 'succeeded', assets: [{ at: 'file', path: folder.clip }] }
  }
  const crashes = await readCrashes(folder)
  if (crashes.count < MOST_CRASHES) return 'open'
  return {
    state: 'failed',
    fault: { kind: 'permanent', reason: 'other' },
    charged: 'no',
    evidence: { message: `the renderer failed ${crashes.count} times: ${crashes.message}` },
  }
}

/** Asks again when about half of the rest should be done; `progress` null means nobody began. */
function pending(progress: number | null, timeScale: number): PollResult {
  const rest = CAN.expectedMs * (1 - (progress ?? 0))
  const pollAfterMs = Math.round(Math.min(2_000, Math.max(400, rest / 2)) * timeScale)
  if (progress === null) return { state: 'pending', phase: 'queued', pollAfterMs }
  return { state: 'pending', phase: 'running', progress, pollAfterMs }
}

function fileOf(asset: AssetRef, ordersDir: string): string {
  const inside = asset.at === 'file' && path.resolve(asset.path).startsWith(ordersDir + path.sep)
  if (inside) return asset.path
  const fault = { kind: 'permanent', reason: 'protocol' } as const
  throw new ProviderError(fault, 'accepted', { message: 'not an asset of the local provider' })
}

async function streamFile(file: string, { sink, ...limits }: FetchInto): Promise<number> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), limits.idleMs)
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      timer.refresh()
      bytes += chunk.length
      done(bytes > limits.maxBytes ? tooLarge(limits.maxBytes) : null, chunk)
    },
  })
  const source = createReadStream(file)
  const { isSink, forget } = firstToFail(sink, [source, meter])
  const signal = AbortSignal.any([limits.signal, idle.signal])
  try {
    await pipeline(source, meter, sink, { signal })
    return bytes
  } catch (error) {
    // A full disk is not the provider's doing.
    if (isSink() && !signal.aborted) throw error
    if (error instanceof ProviderError) throw error
    if (isMissing(error)) throw gone()
    throw transient('accepted', idle.signal.aborted ? 'no progress' : wordsOf(error))
  } finally {
    clearTimeout(timer)
    forget()
  }
}

/** Tells whether it was the sink that failed: a pipeline ends all its streams with the first error. */
function firstToFail(sink: NodeJS.WritableStream, others: readonly NodeJS.EventEmitter[]) {
  let first: NodeJS.EventEmitter | undefined
  const onSinkError = () => void (first ??= sink)
  sink.on('error', onSinkError)
  for (const other of others) other.on('error', () => void (first ??= other))
  return { isSink: () => first === sink, forget: () => void sink.off('error', onSinkError) }
}

function tooLarge(maxBytes: number): ProviderError {
  const fault = { kind: 'permanent', reason: 'protocol' } as const
  const message = `the clip is larger than ${maxBytes} bytes`
  return new ProviderError(fault, 'accepted', { message })
}

function gone(): ProviderError {
  const fault = { kind: 'permanent', reason: 'asset-gone' } as const
  return new ProviderError(fault, 'accepted', { message: 'the clip is no longer there' })
}

function transient(acceptance: Acceptance, message: string): ProviderError {
  return new ProviderError({ kind: 'transient' }, acceptance, { message })
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
