import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs/promises'
import { walkBoxes } from './boxes.server'
import { inspectionReport, type ClipInspection } from './facts'

export type InspectConfig = {
  /** Path of the built `jobs/inspect-clip` file. */
  entry: string
}

export type InspectInput = { path: string; posterPath: string; signal: AbortSignal }

const TIMEOUT_MS = 20_000
const HEAP_MB = 96
/** A limit on address space would hold back V8 itself, so resident memory is watched instead. */
const MOST_RESIDENT_BYTES = 320 * 1024 * 1024
const WATCH_EVERY_MS = 100
const PAGE_BYTES = 4_096
const MOST_OUTPUT = 16_384

/**
 * Checks a clip before it counts as delivered: first its boxes, cheaply and in this process, then
 * its tracks and one picture in a child with limits, because the bytes are not ours. Writes the
 * poster to `posterPath` when one can be made. A bad clip is a result; throws only when aborted or
 * when the file cannot be read.
 */
export async function inspectClip(
  config: InspectConfig,
  input: InspectInput,
): Promise<ClipInspection> {
  input.signal.throwIfAborted()
  const walk = await walkBoxes(input.path)
  if (!walk.ok) return walk
  const end = await runInspector(config, input)
  input.signal.throwIfAborted()
  const report = inspectionReport.safeParse(parseOrNull(end.output))
  if (report.success) return report.data
  return { ok: false, reason: `it could not be read (${end.how})` }
}

type End = { output: string; how: string }

function runInspector({ entry }: InspectConfig, input: InspectInput): Promise<End> {
  const args = [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry]
  const child = spawn(process.execPath, [...args, input.path, input.posterPath], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { NODE_ENV: 'production' },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    signal: input.signal,
  })
  const watch = setInterval(() => void endIfTooLarge(child), WATCH_EVERY_MS)
  child.once('close', () => clearInterval(watch))
  return new Promise((resolve) => {
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > MOST_OUTPUT) child.kill('SIGKILL')
    })
    child.once('error', (error) => resolve({ output: '', how: error.message }))
    child.once('close', (code, signal) => resolve({ output, how: signal ?? `exit code ${code}` }))
  })
}

/** Linux tells the size of a process here; elsewhere the time limit has to be enough. */
async function endIfTooLarge(child: ChildProcess): Promise<void> {
  const statm = await fs.readFile(`/proc/${child.pid}/statm`, 'utf8').catch(() => '')
  const residentPages = Number(statm.split(' ')[1] ?? 0)
  if (residentPages * PAGE_BYTES > MOST_RESIDENT_BYTES) child.kill('SIGKILL')
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
