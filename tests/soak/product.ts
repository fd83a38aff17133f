import { spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { plainUserUrl } from '../../scripts/lib/plain-user.mjs'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { startSharedCluster } from '../support/shared-cluster'
import { envFor, namedEnvFor } from '../simulator/settings'
import { scenarioSchema, type ScenarioInput } from '../simulator/scenario'
import { startBucket } from '../support/bucket'
import { startThrowAwayCluster } from '../support/cluster'
import { createTestDatabase } from '../support/database'
import { startWeb, startWorker, testEnv } from '../support/processes'
import { startProxy, type Proxy } from '../support/proxy'
import { mountSmallDisk, setPriority, type SmallDisk } from '../support/strain'
import { SimulatorControl } from './simulator-control'
import { startProxies, type ProviderProxy, type ProviderProxies } from './proxies'
import { supervise, type Supervised } from './supervisor'
import type { Options, Setting } from './options'

/** All running processes: the product's, and those on which they depend. */
export type Product = {
  webs: readonly Supervised[]
  workers: readonly Supervised[]
  /** Addresses of the web servers. Restarts do not change them. */
  urls: readonly string[]
  db: pg.Pool
  cluster: Awaited<ReturnType<typeof startThrowAwayCluster>>
  control: SimulatorControl
  proxies: ProviderProxies
  provider: ProviderProxy
  second: ProviderProxy | undefined
  /** The host of finished clips; undefined if it is the simulator's own address. */
  clipHost: ProviderProxy | undefined
  bucket: Proxy | undefined
  disk: SmallDisk | undefined
  logDir: string
  stop: () => Promise<void>
}

/** What another run does differently from the soak. */
export type Variation = {
  workers?: number
  /**
   * Returns the folder of the programs. Called at each start of a process. Undefined means this
   * checkout's.
   */
  build?: () => string | undefined
  /**
   * Creates the database in a cluster and returns its address. By default it is a migrated one of
   * this version.
   */
  makeDatabase?: (clusterUrl: string) => Promise<string>
}

const WEBS = 2
const WORKERS = 3
const SIMULATOR = fileURLToPath(new URL('../simulator/run.ts', import.meta.url))
/** Clips are padded to this size, about that of a real one of a few seconds. */
export const CLIP_BYTES = 400_000
export const CLIP_SECONDS = 4

/** How long the provider works on an order, in milliseconds. */
const generationOf = (isShort: boolean): [number, number] =>
  isShort ? [4_000, 15_000] : [60_000, 150_000]
const timeScaleOf = (isShort: boolean): number => (isShort ? 0.3 : 1)
/** The pause between two polls in the first minutes of an order, before it is scaled. */
const POLL_EVERY_MS = 10_000

/**
 * Returns how many requests an undisturbed order takes: the submit, a poll every ten seconds and one
 * that finds it finished, and the download.
 */
export function calmRequests({ isShort }: Pick<Options, 'isShort'>): number {
  const [least, most] = generationOf(isShort)
  return 3 + (least + most) / 2 / (POLL_EVERY_MS * timeScaleOf(isShort))
}

/** Prompts with these words never become a clip, however often they are ordered. */
export const REFUSED = 'refused by the rules'
export const BREAKS = 'breaks in the making'

type Ends = (() => Promise<unknown>)[]

/** Starts all processes. If one does not start, stops those that have. */
export async function startProduct(
  options: Options,
  logDir: string,
  variation: Variation = {},
): Promise<Product> {
  const ends: Ends = []
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    return { ...(await start(options, { logDir, ends, variation })), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Frame = { logDir: string; ends: Ends; variation: Variation }

async function start(
  options: Options,
  { logDir, ends, variation }: Frame,
): Promise<Omit<Product, 'stop'>> {
  const scenario = scenarioOf(options)
  const simulator = await startSimulatorProcess(scenario, logDir)
  ends.push(simulator.stop)
  const proxies = startProxies()
  ends.push(proxies.stop)
  const provider = await proxies.start('provider', simulator.apiUrl)
  const { setting } = options
  const second = setting.second && (await proxies.start('second', simulator.apiUrl))
  const isBehindDoor = setting.flavour === 'vertex-veo'
  const clipHost = isBehindDoor ? await proxies.start('clips', simulator.filesUrl) : undefined
  const stored = setting.storage === 'bucket' ? await startBucket() : undefined
  const bucket = stored && (await startProxy(stored.env.S3_ENDPOINT!))
  for (const each of [bucket, stored]) if (each) ends.push(() => each.stop())

  const cluster = await startThrowAwayCluster({ synchronous_commit: 'on' })
  ends.push(cluster.remove)
  const { makeDatabase = migratedDatabase, build, workers: workerCount = WORKERS } = variation
  const databaseUrl = await makeDatabase(cluster.url)
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  db.on('error', () => undefined)
  ends.push(() => db.end())

  const disk = setting.storage === 'disk' ? await mountSmallDisk() : undefined
  const home = disk?.dir ?? (await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-soak-')))
  ends.push(() => disk?.remove() ?? fs.rm(home, { recursive: true, force: true }))
  const env = {
    ...testEnv(plainUserUrl(databaseUrl), home),
    ...envFor(setting.flavour, {
      apiUrl: provider.url,
      filesUrl: clipHost?.url ?? simulator.filesUrl,
      scenario: scenarioSchema.parse(scenario),
    }),
    ...setting.env,
    ...(setting.second &&
      second &&
      secondEnv(setting.second, { apiUrl: second.url, filesUrl: simulator.filesUrl, scenario })),
    ...(stored &&
      bucket && { ...stored.env, S3_ENDPOINT: bucket.through(stored.env.S3_ENDPOINT!) }),
    VIDEO_DURATION_SECONDS: String(CLIP_SECONDS),
    VIDEO_PROVIDER_TIME_SCALE: String(timeScaleOf(options.isShort)),
    STORAGE_RESERVE_MB: disk ? '8' : '0',
    LOG_LEVEL: 'info',
    // The quota day does not end in the middle of a run.
    PLATFORM_TIMEZONE: zoneAtNoon(),
  }
  const ports = await Promise.all(Array.from({ length: WEBS }, freePort))
  const ways = () => {
    const folder = build?.()
    return folder === undefined ? {} : { build: folder }
  }
  const web = (port: number, i: number) =>
    supervise({
      name: `web-${i + 1}`,
      kind: 'web',
      logDir,
      launch: () => startWeb({ ...env, PORT: String(port) }, ways()),
    })
  const worker = (_: unknown, i: number) =>
    supervise({
      name: `worker-${i + 1}`,
      kind: 'worker',
      logDir,
      launch: () => startWorker(env, [], ways()),
    })
  const webs = await Promise.all(ports.map(web))
  const workers = await Promise.all(Array.from({ length: workerCount }).map(worker))
  ends.push(() => Promise.all([...webs, ...workers].map((each) => each.stop())))
  return {
    webs,
    workers,
    db,
    cluster,
    proxies,
    provider,
    second,
    clipHost,
    bucket,
    disk,
    logDir,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    control: new SimulatorControl(simulator.apiUrl, scenario),
  }
}

/** The name of the second provider. */
export const SECOND = 'second'
/** After so long without the first provider its customers' orders go to the second, and the reverse. */
export const STAND_IN_AFTER_MS = 60_000

/** Returns the settings of the second provider. */
function secondEnv(
  { flavour, env }: NonNullable<Setting['second']>,
  { scenario, ...urls }: { apiUrl: string; filesUrl: string; scenario: ScenarioInput },
): Record<string, string> {
  const own = envFor(flavour, { ...urls, scenario: scenarioSchema.parse(scenario) })
  return {
    ...namedEnvFor(SECOND, { ...own, ...env }),
    MORE_VIDEO_PROVIDERS: SECOND,
    STAND_IN_AFTER_MINUTES: String(STAND_IN_AFTER_MS / 60_000),
  }
}

async function migratedDatabase(clusterUrl: string): Promise<string> {
  process.env.TEST_CLUSTER_URL = clusterUrl
  await startSharedCluster()
  return (await createTestDatabase()).url
}

/**
 * The provider without trouble: some prompts are refused and some fail, all others become clips.
 */
function scenarioOf({ seed, isShort }: Options): ScenarioInput {
  return {
    seed,
    defaults: {
      generationMs: generationOf(isShort),
      bytes: CLIP_BYTES,
    },
    rules: [
      { when: { op: 'submit', promptIncludes: REFUSED }, do: { outcome: 'filtered' } },
      { when: { op: 'submit', promptIncludes: BREAKS }, do: { outcome: 'failed' } },
    ],
  }
}

async function startSimulatorProcess(scenario: ScenarioInput, logDir: string) {
  const [port, filesPort] = [await freePort(), await freePort()]
  const file = path.join(logDir, 'scenario.json')
  await fs.writeFile(file, JSON.stringify(scenario))
  const args = ['--port', String(port), '--files-port', String(filesPort), '--scenario', file]
  const ledger = ['--ledger', path.join(logDir, 'ledger.jsonl')]
  const child = spawn(process.execPath, ['--import', 'tsx', SIMULATOR, ...args, ...ledger], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The load of the product must not delay the process by which it is judged.
  if (child.pid !== undefined) setPriority(child.pid, -10)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => (printed += text.toString()))
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString()
      if (printed.includes('The simulator answers on')) resolve()
    })
    child.once('exit', () => reject(new Error(`the simulator did not start: ${printed}`)))
  })
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    filesUrl: `http://localhost:${filesPort}`,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Returns a time zone in which it is about noon. POSIX counts westwards. */
function zoneAtNoon(): string {
  const offset = new Date().getUTCHours() - 12
  return `Etc/GMT${offset >= 0 ? '+' : ''}${offset}`
}
