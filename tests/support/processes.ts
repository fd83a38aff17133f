import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { afterDeath } from '../../scripts/lib/supervisor.mjs'
import { rememberOutput } from './last-lines'
import { LATE_COMPILER } from './late-compiler'

const BUILD = path.resolve('build')

export type TestProcess = {
  child: ChildProcess
  /** Returns everything it has printed. */
  output: () => string
  /** Resolves with the exit code, or null after a signal. */
  ended: Promise<number | null>
  stop: () => Promise<void>
  kill: () => Promise<void>
}

export type ProcessEnv = Record<string, string>

/**
 * Returns the part of the environment that every program needs, without the settings of the tests.
 */
export const bareEnv = (): NodeJS.ProcessEnv => {
  // MUTANT names the mutant that is tried, see tests/mutants.
  const { PATH, HOME, MUTANT } = process.env
  return { NODE_ENV: 'production', PATH, HOME, MUTANT }
}

/**
 * Returns the settings of a test installation. Its secrets are fixed, because no data outlives the
 * test.
 */
export function testEnv(databaseUrl: string, dataDir: string): ProcessEnv {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SESSION_SECRET: 'test-session-secret-0123456789abcdef',
    ENCRYPTION_KEY: 'test-encryption-key-0123456789abcdef',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    VIDEO_DURATION_SECONDS: '4',
    VIDEO_PROVIDER_TIME_SCALE: '0.2',
    THROTTLE_SCALE: '1000',
    // Tests do not depend on the free space of the machine.
    STORAGE_RESERVE_MB: '0',
    PAYMENT_EXCHANGE_ACCOUNT: 'pay@test.example',
    PAYMENT_WALLET_ACCOUNT: '0300 7654321',
    PAYMENT_BANK_ACCOUNT: 'PK00TEST0000001123456702',
  }
}

type Ways = {
  nodeArgs?: string[]
  /** A command that starts the program and forwards signals, such as `unshare`. */
  through?: string[]
  /** The folder of the programs, if not this checkout's. They run in its parent folder. */
  build?: string
}

/** Starts a built program and waits until it reports that it is ready. */
async function start(
  program: string,
  env: ProcessEnv,
  { nodeArgs = [], through = [], build = BUILD }: Ways = {},
) {
  const [command = process.execPath, ...args] = [
    ...through,
    ...[process.execPath, LATE_COMPILER, ...nodeArgs, path.join(build, program)],
  ]
  const child = spawn(command, args, {
    cwd: path.dirname(build),
    env: { ...bareEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => (printed += text.toString()))
  }
  rememberOutput(`${program} (process ${child.pid})`, () => printed)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = new Promise<unknown>((resolve) => child.once('message', resolve))
  const signal = async (name: NodeJS.Signals) => {
    child.kill(name)
    await ended
  }
  const running: TestProcess = {
    child,
    output: () => printed,
    ended,
    stop: () => signal('SIGTERM'),
    kill: () => signal('SIGKILL'),
  }
  const message = await Promise.race([ready, ended.then(() => undefined)])
  return { running, message }
}

export async function startWeb(
  env: ProcessEnv,
  ways: Ways = {},
): Promise<TestProcess & { url: string }> {
  const { running, message } = await start('server.js', env, ways)
  const port =
    typeof message === 'object' && message !== null && 'port' in message ? String(message.port) : ''
  if (!port) throw new Error(`the web server did not start:\n${running.output()}`)
  return { ...running, url: `http://127.0.0.1:${port}` }
}

export async function startWorker(
  env: ProcessEnv,
  nodeArgs: string[] = [],
  ways: Omit<Ways, 'nodeArgs'> = {},
): Promise<TestProcess> {
  const { running } = await start('worker.js', env, { nodeArgs, ...ways })
  return running
}

/** Restarts a process whenever it ends by itself, as the product's supervisor does. */
export function supervised(launch: () => Promise<TestProcess>) {
  let isStopping = false
  let current: TestProcess | undefined
  let deaths = 0
  const keep = async (): Promise<void> => {
    if (isStopping) return
    const startedAt = performance.now()
    current = await launch()
    void current.ended.then(() => {
      const next = afterDeath(performance.now() - startedAt, deaths)
      deaths = next.deaths
      setTimeout(() => (latest = keep()), next.delayMs)
    })
  }
  let latest = keep()
  return {
    started: latest,
    /** Returns what the current process has printed. */
    output: () => current?.output() ?? '',
    stop: async () => {
      isStopping = true
      // A process that is still starting has to end as well.
      await latest
      await current?.stop()
    },
  }
}
