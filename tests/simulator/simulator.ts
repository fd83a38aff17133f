import { readProviderEnv } from '../../app/platform/providers/settings.server'
import type { VideoProvider } from '../../app/platform/providers/port'
import { realClock, type SimClock } from './clock'
import { openLedger, type LedgerEntry } from './ledger'
import { openMints } from './oauth'
import { hashOf, openOrders, type Order, type Stats } from './orders'
import {
  openRandom,
  openRules,
  scenarioSchema,
  within,
  type Scenario,
  type ScenarioInput,
  type TokenRule,
} from './scenario'
import { openListener, type SimulatorInstance, type JournalEntry } from './server'
import { envFor, type Flavour } from './settings'
import type { Simulation } from './simulation'

export type SimulatorOptions = {
  scenario?: ScenarioInput
  /** Real time by default. */
  clock?: SimClock
  /** The file for accepted orders, synced. Without it they are kept in memory. */
  ledgerFile?: string
  host?: string
  port?: number
  filesPort?: number
}

export type Owner = { attemptId?: string; prompt?: string; account?: string; token?: string }
export type SimulatedProvider = VideoProvider & { stop: () => Promise<void> }

export type Simulator = {
  /** The address of the provider's calls, and the one of its clips: two different hosts. */
  apiUrl: string
  filesUrl: string
  /** Returns the settings with which a product or an engine uses the simulator. */
  env: (flavour: Flavour, more?: Record<string, string>) => Record<string, string>
  /** Returns the product's own adapter for the simulator, in the simulator's time. */
  provider: (flavour: Flavour, more?: Record<string, string>) => SimulatedProvider
  /** Replaces the scenario and resets its counters. Missing values have their defaults. */
  play: (scenario: ScenarioInput) => void
  /** Sets the rule of a token: `{ dead: true }`, `{ status: 403 }`, … Null removes it. */
  token: (token: string, rule: TokenRule | null) => void
  /**
   * Returns a service-account key file for a project. Only this simulator's token service accepts
   * it.
   */
  serviceAccountKey: (project?: string) => string
  /** Invalidates every token issued so far. */
  withdrawMinted: () => void
  now: () => number
  advance: (ms: number) => void
  /** Returns the accepted orders, which cost money: all, or those of this owner. */
  accepted: (owner?: Owner) => readonly LedgerEntry[]
  orders: () => readonly Order[]
  stats: () => Stats
  journal: () => readonly JournalEntry[]
  /** Forgets every order, as a server does that keeps them in memory. The ledger stays. */
  restart: () => void
  /** Ends the connections that `hang` and `stall` keep open. */
  releaseHanging: () => void
  /** Refuses connections until `up`, and cuts the open ones. */
  down: () => Promise<void>
  up: () => Promise<void>
  stop: () => Promise<void>
}

/** By default a clip is ready a fifth of a second after its order. */
const TEST_DEFAULTS = { generationMs: 200 }

const readScenario = (input: ScenarioInput): Scenario =>
  scenarioSchema.parse({ ...input, defaults: { ...TEST_DEFAULTS, ...input.defaults } })

/** Starts a simulator on 127.0.0.1, on free ports. See README.md in this folder. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { clock = realClock(1), host = '127.0.0.1', ledgerFile } = options
  const ledger = openLedger(ledgerFile)
  const instance = openInstance({ scenario: readScenario(options.scenario ?? {}), clock, ledger })
  const { simulation, journal } = instance
  const api = openListener(instance, 'api')
  const files = openListener(instance, 'files')
  const up = async () => {
    const apiPort = await api.open(options.port ?? 0, host)
    const filesPort = await files.open(options.filesPort ?? 0, host)
    simulation.apiUrl = `http://${host}:${apiPort}`
    // Another name of the same machine, so that tests cover the rules about hosts.
    simulation.filesUrl = `http://${host === '127.0.0.1' ? 'localhost' : host}:${filesPort}`
  }
  const down = async () => {
    await Promise.all([api.close(), files.close()])
  }
  const releaseHanging = () => {
    for (const response of simulation.hanging) response.destroy()
    simulation.hanging.clear()
  }
  await up()
  const env: Simulator['env'] = (flavour, more = {}) => ({
    ...envFor(flavour, simulation),
    ...more,
  })
  return {
    get apiUrl() {
      return simulation.apiUrl
    },
    get filesUrl() {
      return simulation.filesUrl
    },
    env,
    provider: (flavour, more) => providerFor(env(flavour, more), clock),
    play: (scenario) => {
      simulation.scenario = readScenario(scenario)
      simulation.pick = openRules(simulation.scenario)
    },
    token: (token, rule) => {
      const { [token]: _, ...others } = simulation.scenario.tokens
      simulation.scenario.tokens = rule === null ? others : { ...others, [token]: rule }
    },
    serviceAccountKey: (project = 'sim-project') => simulation.mints.keyFile(project),
    withdrawMinted: () => simulation.mints.withdraw(),
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    accepted: (owner = {}) => simulation.orders.entries().filter((entry) => isOf(entry, owner)),
    orders: () => simulation.orders.all(),
    stats: () => simulation.orders.stats(),
    journal: () => journal.entries,
    restart: () => {
      for (const { key } of simulation.orders.all()) simulation.orders.forget(key)
    },
    releaseHanging,
    down,
    up,
    stop: async () => {
      releaseHanging()
      clock.stop()
      await down()
      ledger.close()
    },
  }
}

type InstanceInput = { scenario: Scenario; clock: SimClock; ledger: ReturnType<typeof openLedger> }

function openInstance({ scenario, clock, ledger }: InstanceInput): SimulatorInstance {
  const random = openRandom(scenario.seed)
  let number = 0
  const simulation: Simulation = {
    clock,
    scenario,
    random,
    apiUrl: '',
    filesUrl: '',
    pick: openRules(scenario),
    orders: openOrders(ledger, clock),
    tokens: new Map(),
    mints: openMints(),
    hanging: new Set(),
    nextNumber: () => (number += 1),
    pause: (span) => clock.after(span === undefined ? 0 : within(span, random)),
  }
  const instance: SimulatorInstance = {
    simulation,
    journal: { entries: [], most: 20_000 },
    reset: () => {
      simulation.orders = openOrders(ledger, clock)
      simulation.tokens.clear()
      instance.journal.entries.length = 0
      simulation.pick = openRules(simulation.scenario)
    },
  }
  return instance
}

function isOf(entry: LedgerEntry, { attemptId, prompt, account, token }: Owner): boolean {
  return (
    (attemptId === undefined || entry.attemptId === attemptId) &&
    (prompt === undefined || entry.promptHash === hashOf(prompt)) &&
    (account === undefined || entry.account === account) &&
    (token === undefined || entry.tokenHash === hashOf(token))
  )
}

function providerFor(env: Record<string, string>, clock: SimClock): SimulatedProvider {
  const { VIDEO_PROVIDER_TIME_SCALE: scale, ...settings } = env
  const read = readProviderEnv(settings)
  if (!read.ok) throw new Error(read.problems.join('; '))
  const provider = read.env.provider.create({
    now: () => clock.now(),
    note: () => undefined,
    timeScale: Number(scale ?? 1),
    dataDir: '',
    buildDir: '',
  })
  return { ...provider, stop: async () => provider.stop?.() }
}
