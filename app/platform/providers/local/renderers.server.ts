import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import {
  askedAgoMs,
  claim,
  clipIsReady,
  isOrderId,
  mayTryAgain,
  orderFolder,
  orMissing,
  readCrashes,
  readOrder,
  readProgress,
  writeDurably,
  writeProgress,
  type OrderFolder,
  type PlacedOrder,
} from './order-folder.server'
import { endOf, startRenderer } from './renderer.server'

export type RenderersConfig = {
  ordersDir: string
  /** The path of the JavaScript file that renderers run. */
  rendererEntry: string
  /** The most renderers at once, in all processes that share the folder. */
  concurrency: number
}

export type Renderers = {
  /** Starts renderers for the next orders in the background. */
  look(): void
  /** Ends all renderers and starts no more. Resolves when all have ended. */
  stop(): Promise<void>
}

/** Interval at which a rendering writes its heartbeat and checks that its order still exists. */
const BEAT_MS = 500
/** An order that has not been polled for this long is not started. */
const ASKED_MS = 30_000
/** A renderer without a frame for this long hangs, even on an overloaded machine. Usual: 0.03 s. */
const HANGING_MS = 180_000

/**
 * Renders the orders of a folder: singles first, then in the order of arrival. The folder is the only
 * state: every process reads there what waits, in which lane, and what is being rendered.
 */
export function openRenderers({
  ordersDir,
  rendererEntry,
  concurrency,
}: RenderersConfig): Renderers {
  const running = new Map<string, Promise<void>>()
  const halt = new AbortController()
  const isStopped = (): boolean => halt.signal.aborted
  let looking = Promise.resolve()
  let isAsked = false

  const look = (): void => {
    if (isAsked || isStopped()) return
    isAsked = true
    // A folder that cannot be read is read again at the next poll.
    looking = looking.then(fillPlaces).catch(() => undefined)
  }

  const fillPlaces = async (): Promise<void> => {
    isAsked = false
    while (running.size < concurrency && !isStopped()) {
      const { waiting, rendered } = await surveyOrders(ordersDir)
      const ofOthers = rendered.filter((id) => !running.has(id))
      const next = waiting.find((id) => !running.has(id))
      if (next === undefined || running.size + ofOthers.length >= concurrency) return
      if (await claim(orderFolder(ordersDir, next))) start(next)
    }
  }

  const start = (id: string): void => {
    const done = render(orderFolder(ordersDir, id), rendererEntry, halt.signal)
      .catch(() => undefined)
      .then(() => {
        running.delete(id)
        look()
      })
    running.set(id, done)
  }

  return {
    look,
    async stop() {
      halt.abort()
      await looking
      await Promise.all(running.values())
    },
  }
}

type Survey = { waiting: readonly string[]; rendered: readonly string[] }

/** Returns what is being rendered, and the waiting orders by rank. */
async function surveyOrders(ordersDir: string): Promise<Survey> {
  const waiting: { id: string; order: PlacedOrder }[] = []
  const rendered: string[] = []
  for (const id of (await orMissing(fs.readdir(ordersDir), [])).filter(isOrderId)) {
    // An unreadable folder must not stop the rendering of others.
    const order = await openOrder(orderFolder(ordersDir, id)).catch(() => null)
    if (order === 'rendered') rendered.push(id)
    else if (order !== null) waiting.push({ id, order })
  }
  waiting.sort(
    ({ order: one }, { order: other }) => one.lane - other.lane || one.placedAt - other.placedAt,
  )
  return { waiting: waiting.map(({ id }) => id), rendered }
}

/** Returns an order that waits, `rendered` if it is being rendered, or null if neither. */
async function openOrder(folder: OrderFolder): Promise<PlacedOrder | 'rendered' | null> {
  if (await clipIsReady(folder)) return null
  const order = await readOrder(folder)
  if (order === null) return null
  if ((await readProgress(folder)) !== null) return 'rendered'
  const agoMs = await askedAgoMs(folder)
  const isWanted = agoMs !== null && agoMs < ASKED_MS
  return isWanted && (await mayTryAgain(folder)) ? order : null
}

/** Renders a claimed order in a child process. Records a crash in the order's folder. */
async function render(folder: OrderFolder, entry: string, signal: AbortSignal): Promise<void> {
  const child = startRenderer(entry, folder.dir)
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  const heartbeats = heartbeat(folder, child)
  try {
    const end = await endOf(child)
    await heartbeats.stop()
    if (end.ok || signal.aborted || (await readOrder(folder)) === null) return
    if (await clipIsReady(folder)) return
    const { count } = await readCrashes(folder)
    await writeDurably(folder.crashes, JSON.stringify({ count: count + 1, message: end.message }))
  } finally {
    signal.removeEventListener('abort', kill)
    await fs.rm(folder.progress, { force: true })
  }
}

/**
 * Writes the renderer's progress and heartbeat. This process writes it, not the renderer, so that
 * slow drawing does not look like a dead worker. Ends a renderer that hangs or whose order is gone.
 */
function heartbeat(folder: OrderFolder, child: ChildProcess): { stop(): Promise<void> } {
  const startedAt = performance.now()
  let progress = 0
  let movedAt = startedAt
  child.on('message', (told) => {
    progress = progressOf(told) ?? progress
    movedAt = performance.now()
  })
  const restMs = (now: number): number | null =>
    progress === 0 ? null : Math.max(0, startedAt + (movedAt - startedAt) / progress - now)
  const note = async (): Promise<void> => {
    const now = performance.now()
    const isOver = (await askedAgoMs(folder)) === null
    if (isOver || now - movedAt > HANGING_MS) child.kill('SIGKILL')
    else await writeProgress(folder, { progress, restMs: restMs(now) })
  }
  let noted = Promise.resolve()
  const timer = setInterval(() => {
    noted = noted.then(note).catch(() => undefined)
  }, BEAT_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return noted
    },
  }
}

function progressOf(told: unknown): number | null {
  if (typeof told !== 'object' || told === null || !('progress' in told)) return null
  return typeof told.progress === 'number' ? told.progress : null
}
