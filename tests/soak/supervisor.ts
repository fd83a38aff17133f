import fs from 'node:fs'
import path from 'node:path'
import { afterDeath } from '../../scripts/lib/supervisor.mjs'
import { freeze } from '../support/strain'
import { until } from '../support/wait'
import type { TestProcess } from '../support/processes'

/** The exit of a process that the run had not requested. */
export type Exit = { name: string; at: Date; code: number | null; lastLines: string[] }

/**
 * Keeps one process running, as the product's supervisor does, and records which exits were
 * requested.
 */
export type Supervised = {
  name: string
  kind: 'web' | 'worker'
  /** Unrequested exits of processes that had been ready. */
  exits: readonly Exit[]
  /** Returns the number of failed starts, for example while the database was unavailable. */
  failedStarts: () => number
  kills: () => number
  /** Returns the id of the running process, or undefined if there is none at the moment. */
  pid: () => number | undefined
  /** Sends SIGKILL. Returns false if there is no process at the moment. */
  kill: () => boolean
  /**
   * Sends SIGTERM, as a deployment does. Resolves when the next process is ready, with the exit
   * code of the one that ended. Throws if there is none at the moment.
   */
  restart: () => Promise<number | null>
  /** Sends SIGSTOP. Returns a function that resumes the process. */
  freeze: () => () => void
  /** Returns the last lines that its latest process printed. */
  tail: (lines: number) => string[]
  stop: () => Promise<void>
}

type Options = {
  name: string
  kind: Supervised['kind']
  logDir: string
  launch: () => Promise<TestProcess>
}

const tailOf = (text: string, lines: number) => text.trimEnd().split('\n').slice(-lines)

/** Starts the process. Resolves when it is ready for the first time. */
export async function supervise({ name, kind, logDir, launch }: Options): Promise<Supervised> {
  const logFile = path.join(logDir, `${name}.log`)
  const exits: Exit[] = []
  const state = { isStopping: false, isRequested: false, deaths: 0, failedStarts: 0, kills: 0 }
  let current: TestProcess | undefined
  let last: TestProcess | undefined

  const isStopping = () => state.isStopping
  const isRunning = ({ child }: TestProcess): boolean =>
    child.exitCode === null && child.signalCode === null

  function begin(started: TestProcess): void {
    current = last = started
    fs.appendFileSync(logFile, started.output())
    for (const stream of [started.child.stdout, started.child.stderr])
      stream?.on('data', (text: Buffer) => fs.appendFileSync(logFile, text))
  }

  async function live(): Promise<void> {
    const started = await launch()
    const output = started.output()
    if (!isRunning(started)) throw new Error(output)
    begin(started)
    if (isStopping()) started.child.kill('SIGTERM')
    const code = await started.ended
    current = undefined
    fs.appendFileSync(logFile, `--- ended with ${code ?? started.child.signalCode}\n`)
    if (isStopping() || state.isRequested) return
    exits.push({ name, at: new Date(), code, lastLines: tailOf(started.output(), 5) })
  }

  async function run(): Promise<void> {
    const startedAt = performance.now()
    state.isRequested = false
    await live().catch((error: unknown) => {
      state.failedStarts += 1
      fs.appendFileSync(logFile, `--- did not start: ${String(error)}\n`)
    })
    if (isStopping()) return
    const next = afterDeath(performance.now() - startedAt, state.deaths)
    state.deaths = next.deaths
    await new Promise((resolve) => setTimeout(resolve, next.delayMs))
    if (!isStopping()) latest = run()
  }
  let latest = run()
  while (current === undefined) {
    if (state.failedStarts > 0) throw new Error(`${name} did not start; see ${logFile}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    name,
    kind,
    exits,
    failedStarts: () => state.failedStarts,
    kills: () => state.kills,
    pid: () => current?.child.pid,
    kill: () => {
      if (current === undefined) return false
      state.isRequested = true
      state.kills += 1
      return current.child.kill('SIGKILL')
    },
    restart: async () => {
      const old = current
      if (old === undefined) throw new Error(`${name} does not run`)
      state.isRequested = true
      old.child.kill('SIGTERM')
      const code = await old.ended
      await until(`${name} to be ready again`, () => current !== undefined && current !== old)
      return code
    },
    freeze: () => (current ? freeze([current.child]) : () => undefined),
    tail: (lines) => tailOf(last?.output() ?? '', lines),
    stop: async () => {
      state.isStopping = true
      const insist = setTimeout(() => current?.child.kill('SIGKILL'), 30_000)
      current?.child.kill('SIGCONT')
      current?.child.kill('SIGTERM')
      await latest
      clearTimeout(insist)
    },
  }
}
