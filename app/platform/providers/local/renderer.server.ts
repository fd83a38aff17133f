import { spawn, type ChildProcess } from 'node:child_process'

/** The renderer needs 250 MB; its JavaScript heap is the small part of that. */
const HEAP_MB = 128
const LAST_WORDS = 300

/** Starts the program `entry` on one order folder. It tells its progress and ends when we do. */
export function startRenderer(entry: string, dir: string): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--no-warnings']
  return spawn(process.execPath, [...flags, entry, dir], {
    // When we die the channel closes, and the renderer ends itself.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A renderer reads untrusted words; it gets none of our secrets.
    env: { NODE_ENV: 'production' },
  })
}

export type End = { ok: boolean; message: string }

/** Resolves when the renderer has ended, with its last words. Call it once, right after the start. */
export function endOf(child: ChildProcess): Promise<End> {
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
