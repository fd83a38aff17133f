import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import {
  clipIsReady,
  orderFolder,
  readCrashes,
  readProgress,
  writeDurably,
  writeProgress,
  type OrderFolder,
} from './order-folder.server'

export type RenderersConfig = {
  ordersDir: string
  /** Path of the JavaScript file each renderer runs. */
  rendererEntry: string
  /** Renderers alive at once in this process. */
  concurrency: number
}

export type Renderers = {
  /** Sees to it that somebody renders the order; returns at once. */
  want(id: string): void
  /** True while the order waits here for its turn. */
  isWaiting(id: string): boolean
  /** Ends every renderer and starts no more. Resolves when all are gone. */
  stop(): Promise<void>
}

/** A renderer without a sign of life for this long is dead, here or in another process. */
export const SILENT_MS = 5_000
/** The renderer needs 250 MB; its JavaScript heap is the small part of that. */
const HEAP_MB = 128
/** A clip takes about 5 s; one that takes this long hangs. */
const HANGING_MS = 150_000
const LAST_WORDS = 300

/** Runs renderers one after the other, first come, first served; `concurrency` at a time. */
export function openRenderers(config: RenderersConfig): Renderers {
  const waiting: string[] = []
  const running = new Map<string, ChildProcess | null>()
  const halt = new AbortController()
  const isStopped = (): boolean => halt.signal.aborted

  const next = (): void => {
    while (!isStopped() && running.size < config.concurrency) {
      const id = waiting.shift()
      if (id === undefined) return
      running.set(id, null)
      // A disk that cannot be written is not this order's fault: the next poll asks again.
      const done = render(id).catch(() => undefined)
      void done.then(() => {
        running.delete(id)
        next()
      })
    }
  }

  const render = async (id: string): Promise<void> => {
    const folder = orderFolder(config.ordersDir, id)
    if ((await clipIsReady(folder)) || (await beats(folder)) || isStopped()) return
    // Takes the order before the renderer is up, so that a process beside us leaves it alone.
    await writeProgress(folder, 0)
    const child = startRenderer(config.rendererEntry, folder.dir)
    running.set(id, child)
    if (isStopped()) child.kill('SIGKILL')
    const end = await ended(child)
    if (isStopped() || end.ok || (await clipIsReady(folder))) return
    const { count } = await readCrashes(folder)
    await writeDurably(folder.crashes, JSON.stringify({ count: count + 1, message: end.message }))
    await fs.rm(folder.progress, { force: true })
  }

  return {
    want(id) {
      if (isStopped() || running.has(id) || waiting.includes(id)) return
      waiting.push(id)
      next()
    },
    isWaiting: (id) => waiting.includes(id),
    async stop() {
      halt.abort()
      const children = [...running.values()].filter((child) => child !== null)
      const gone = children.map((child) => ended(child))
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(gone)
    },
  }
}

/** Somebody renders this order at this moment. */
export async function beats(folder: OrderFolder): Promise<boolean> {
  const note = await readProgress(folder)
  return note !== null && Date.now() - note.beatAt < SILENT_MS
}

function startRenderer(entry: string, dir: string): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--no-warnings']
  return spawn(process.execPath, [...flags, entry, dir], {
    // The channel carries nothing: when we die it closes, and the renderer ends itself.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A renderer reads untrusted words; it gets none of our secrets.
    env: { NODE_ENV: 'production' },
    timeout: HANGING_MS,
    killSignal: 'SIGKILL',
  })
}

type End = { ok: boolean; message: string }

function ended(child: ChildProcess): Promise<End> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ ok: child.exitCode === 0, message: 'ended' })
  }
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
