import { spawn, type ChildProcess } from 'node:child_process'

/** Limit of the JavaScript heap, a small part of the 250 MB that a renderer needs. */
const HEAP_MB = 128
const LAST_WORDS = 300

/** Starts the program `entry` for one order folder. It reports its progress and ends with us. */
export function startRenderer(entry: string, dir: string): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--no-warnings']
  return spawn(process.execPath, [...flags, entry, dir], {
    // If this process dies the channel closes, and the renderer exits.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A renderer processes untrusted text, so it gets no secrets.
    env: { NODE_ENV: 'production' },
  })
}

export type End = { ok: boolean; message: string }

/** Resolves with the last output when the renderer has ended. Call it once, right after the start. */
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
