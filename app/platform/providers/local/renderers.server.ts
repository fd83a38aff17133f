import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import { writeDurably } from '~/lib/write-durably.server'
import {
  askedAgoMs,
  claim,
  clipIsReady,
  isOrderId,
  mayTryAgain,
  orderFolder,
  orMissing,
  readCrashes,
  readRank,
  readProgress,
  writeProgress,
  type OrderFolder,
  type Rank,
} from './order-folder.server'

export type RenderersConfig = {
  ordersDir: string
  /** The path of the built renderer, which is started once per order. */
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
/** Limit of the JavaScript heap, a small part of the 250 MB that a renderer needs. */
const HEAP_MB = 128
/** The characters of its output that a crash records. */
const LAST_WORDS = 300
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
  const waiting: { id: string; rank: Rank }[] = []
  const rendered: string[] = []
  for (const id of (await orMissing(fs.readdir(ordersDir), [])).filter(isOrderId)) {
    // An unreadable folder must not stop the rendering of others.
    const order = await openOrder(orderFolder(ordersDir, id)).catch(() => null)
    if (order === 'rendered') rendered.push(id)
    else if (order !== null) waiting.push({ id, rank: order })
  }
  waiting.sort(
    ({ rank: one }, { rank: other }) => one.lane - other.lane || one.placedAt - other.placedAt,
  )
  return { waiting: waiting.map(({ id }) => id), rendered }
}

/** Returns the rank of an order that waits, `rendered` if it is being rendered, or null if neither. */
async function openOrder(folder: OrderFolder): Promise<Rank | 'rendered' | null> {
  if (await clipIsReady(folder)) return null
  const rank = await readRank(folder)
  if (rank === null) return null
  if ((await readProgress(folder)) !== null) return 'rendered'
  const agoMs = await askedAgoMs(folder)
  const isWanted = agoMs !== null && agoMs < ASKED_MS
  return isWanted && (await mayTryAgain(folder)) ? rank : null
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
    if (end.ok || signal.aborted || (await readRank(folder)) === null) return
    if (await clipIsReady(folder)) return
    const { count } = await readCrashes(folder)
    await writeDurably(folder.crashes, JSON.stringify({ count: count + 1, message: end.message }))
  } finally {
    signal.removeEventListener('abort', kill)
    await fs.rm(folder.progress, { force: true })
  }
}

/** Starts the program `entry` for one order folder. It reports its progress and ends with us. */
function startRenderer(entry: string, dir: string): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--no-warnings']
  return spawn(process.execPath, [...flags, entry, dir], {
    // If this process dies the channel closes, and the renderer exits.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A renderer processes untrusted text, so it gets no secrets.
    env: { NODE_ENV: 'production' },
  })
}

type End = { ok: boolean; message: string }

/** Resolves with the last output when the renderer has ended. Call it once, right after the start. */
function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    let words = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = `${words}${text}`.slice(-LAST_WORDS)
    })
    child.once('error', (error) => resolve({ ok: false, message: error.message }))
    child.once('close', (code, signal) => {
      const reason = signal ?? `exit code ${code ?? 'unknown'}`
      resolve({ ok: code === 0, message: `${reason} ${words.trim()}`.trim() })
    })
  })
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
