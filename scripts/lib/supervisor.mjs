import { spawn } from 'node:child_process'
import path from 'node:path'
import { watchShare } from './processor-share.mjs'
import { root } from './root.mjs'

const BACKOFF_MS = [200, 500, 1000, 2000, 5000]
/** A process that ran this long did not die early: the count of early deaths is reset. */
const SETTLED_MS = 10_000
/**
 * A process that has reported being alive and is then silent for this long counts as hung. Time in which the
 * machine did not let it run does not count.
 */
const SILENCE_MS = 5_000
export const LOOK_EVERY_MS = 500
/** The web server stops within 10 s and the worker within 25 s. After this time they are killed. */
const STOP_MS = 28_000

/**
 * Returns the new count of early deaths, and the pause before the restart, for a process that died
 * after running for `ranMs` and had died early `deaths` times before.
 *
 * @param {number} ranMs @param {number} deaths
 */
export function afterDeath(ranMs, deaths) {
  const count = ranMs < SETTLED_MS ? deaths + 1 : 1
  const delayMs = BACKOFF_MS[Math.min(count, BACKOFF_MS.length) - 1] ?? 0
  return { deaths: count, delayMs }
}

/**
 * Watches the messages of one process. `isSilent` is called every 500 ms and returns true at the
 * tenth call since the last message. It counts calls instead of measuring time, so that a supervisor
 * that was itself suspended (the machine slept) does not count that time as silence. A call counts as
 * much as the process could do since the one before (`share`, from 0 to 1): one that is starved answers late,
 * and to replace it would only make it start on the same machine.
 *
 * @param {() => number} share
 */
export function createWatch(share = () => 1) {
  /** @type {number | null} null until the first message: a process that sends none is not watched */
  let silence = null
  return {
    hear: () => void (silence = 0),
    isSilent: () => {
      const part = share()
      if (silence === null) return false
      silence += part
      return silence >= SILENCE_MS / LOOK_EVERY_MS
    },
  }
}

/**
 * Kills a process that has reported being alive and stops doing so. Returns a function that ends the
 * watch.
 *
 * @param {string} name @param {import('node:child_process').ChildProcess} process_
 */
export function replaceWhenSilent(name, process_) {
  const watch = createWatch(watchShare(process_.pid, LOOK_EVERY_MS))
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
 * @property {number} [youngMb] size of V8's semi-spaces (`WEB`)
 */

/**
 * The web process. Requests leave little behind, and V8's semi-spaces of 16 MB would let 25 MB of
 * garbage stay in memory to save 4 % of processor time.
 *
 * @type {Child}
 */
export const WEB = { name: 'web', program: 'server.js', heapMb: 256, youngMb: 4 }

/** Returns the arguments of Node for a program. @param {Pick<Child, 'heapMb' | 'youngMb'>} child */
export const nodeArgs = ({ heapMb, youngMb }) => [
  `--max-old-space-size=${heapMb}`,
  ...(youngMb === undefined ? [] : [`--max-semi-space-size=${youngMb}`]),
  '--enable-source-maps',
]

/**
 * Keeps programs running. A program that dies is restarted, after a longer pause each time it dies
 * early. A program that stops sending `{ alive: true }` is replaced, because its event loop is blocked
 * for all users. Every child has a channel to this process and exits when that closes, so none outlives
 * a killed parent.
 *
 * @param {{ env: NodeJS.ProcessEnv, onFirstFailure: (name: string, code: number | null) => void }} options
 */
export function supervise({ env, onFirstFailure }) {
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  const running = new Map()
  let isStopping = false

  /** @param {Child} child @param {number} deaths @param {(message: unknown) => void} onReady */
  function launch(child, deaths, onReady) {
    const { name, program } = child
    const startedAt = Date.now()
    const args = [...nodeArgs(child), path.join(root, 'build', program)]
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
        if (!isStopping) launch(child, next.deaths, () => undefined)
      }, next.delayMs)
    })
  }

  return {
    /** @param {Child} child @returns {Promise<unknown>} its first message, sent when it is ready */
    start: (child) => new Promise((resolve) => launch(child, 0, resolve)),
    /** Requests every child to exit, and kills those that have not exited after STOP_MS. */
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
