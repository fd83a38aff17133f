import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './root.mjs'

const BACKOFF_MS = [200, 500, 1000, 2000, 5000]
/** A process that ran this long did not die young: counting starts again. */
const SETTLED_MS = 10_000
/** A process that says it is alive and then says nothing for so long hangs. */
const SILENCE_MS = 5_000
const LOOK_EVERY_MS = 500
/** The web server ends within 10 s, the worker within 25 s; then nobody waits any longer. */
const STOP_MS = 28_000

/**
 * What follows the death of a process that ran for so many milliseconds and had died young so often
 * before: the new count, and how long to wait before it is started again.
 *
 * @param {number} ranMs @param {number} deaths
 */
export function afterDeath(ranMs, deaths) {
  const count = ranMs < SETTLED_MS ? deaths + 1 : 1
  const delayMs = BACKOFF_MS[Math.min(count, BACKOFF_MS.length) - 1] ?? 0
  return { deaths: count, delayMs }
}

/**
 * Judges one process by its words. `isSilent` is asked every 500 ms and answers true when it has been
 * asked ten times since the last word: whoever asks late stood still itself, as a machine that slept,
 * and by this count the process gets the whole time again.
 */
export function createWatch() {
  /** @type {number | null} null until the first word: what says none is not waited for */
  let asked = null
  return {
    hear: () => void (asked = 0),
    isSilent: () => asked !== null && ++asked >= SILENCE_MS / LOOK_EVERY_MS,
  }
}

/**
 * Kills a process that has begun to say that it is alive and stops saying it. Answers what ends that.
 *
 * @param {string} name @param {import('node:child_process').ChildProcess} process_
 */
function replaceWhenSilent(name, process_) {
  const watch = createWatch()
  process_.on('message', (/** @type {unknown} */ message) => {
    if (typeof message === 'object' && message && 'alive' in message) watch.hear()
  })
  const look = setInterval(() => {
    if (!watch.isSilent()) return
    clearInterval(look)
    console.error(`The ${name} process hangs and is replaced.`)
    process_.kill('SIGKILL')
  }, LOOK_EVERY_MS)
  return () => clearInterval(look)
}

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {string} program file name in build/
 * @property {number} heapMb
 */

/**
 * Keeps programs running: what dies is started again, a little later each time it dies young. So is
 * what sends `{ alive: true }` and stops sending it: its event loop stands still, for everybody. Every
 * child has a channel to this process and ends when that closes, so none outlives a killed parent.
 *
 * @param {{ env: NodeJS.ProcessEnv, onFirstFailure: (name: string, code: number | null) => void }} options
 */
export function supervise({ env, onFirstFailure }) {
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  const running = new Map()
  let isStopping = false

  /** @param {Child} child @param {number} deaths @param {(message: unknown) => void} onReady */
  function launch({ name, program, heapMb }, deaths, onReady) {
    const startedAt = Date.now()
    const args = [
      `--max-old-space-size=${heapMb}`,
      '--enable-source-maps',
      path.join(root, 'build', program),
    ]
    const process_ = spawn(process.execPath, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    running.set(name, process_)
    let isReady = false
    process_.once('message', (message) => {
      isReady = true
      onReady(message)
    })
    const endWatch = replaceWhenSilent(name, process_)
    process_.once('exit', (code) => {
      endWatch()
      running.delete(name)
      if (isStopping) return
      if (!isReady && deaths === 0) return onFirstFailure(name, code)
      const next = afterDeath(Date.now() - startedAt, deaths)
      setTimeout(() => {
        if (!isStopping) launch({ name, program, heapMb }, next.deaths, () => undefined)
      }, next.delayMs)
    })
  }

  return {
    /** @param {Child} child @returns {Promise<unknown>} what it says when it is ready */
    start: (child) => new Promise((resolve) => launch(child, 0, resolve)),
    /** Asks every child to end, and insists after a while. */
    stop: async () => {
      isStopping = true
      const children = [...running.values()]
      const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
      for (const child of children) child.kill('SIGTERM')
      const insist = setTimeout(() => {
        for (const child of children) child.kill('SIGKILL')
      }, STOP_MS)
      await Promise.all(ended)
      clearTimeout(insist)
    },
  }
}
