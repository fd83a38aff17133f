import { parseArgs } from 'node:util'
import type { LedgerEntry } from '../simulator/ledger'
import type { Flavour } from '../simulator/settings'

type Protocol = {
  name: string
  flavour: Flavour
  /** The ledger's name of its orders. */
  family: LedgerEntry['family']
  env: Record<string, string>
  /** Whether an order whose response was lost can be looked up. */
  findsOrders: boolean
  /** Where an order has the negative prompt: in a field of its own, or at the end of the prompt. */
  negativePrompt: 'field' | 'in-prompt'
}

/** The protocols and the storage of clips. The seed decides. */
export type Setting = Protocol & {
  /** A second provider. Each stands in for the other in the plans of half the customers. */
  second?: Protocol
  storage: 'disk' | 'bucket'
}

/** Returns the protocol of the provider that accepted an order. */
export const protocolOf = ({ second, ...first }: Setting, family: string): Protocol =>
  second?.family === family ? second : first

export type Options = {
  minutes: number
  seed: number
  /** Plays only these troubles; all if empty. */
  troubles: readonly string[]
  setting: Setting
  /**
   * Shortens the troubles and the provider's generation times. The timeouts of calls stay as they
   * are.
   */
  isShort: boolean
}

const MULTIPART: Protocol = {
  name: 'openai, multipart',
  flavour: 'openai',
  family: 'openai',
  env: { OPENAI_VIDEOS_BODY: 'multipart' },
  findsOrders: true,
  negativePrompt: 'in-prompt',
}
const JSON_BODY: Protocol = {
  ...MULTIPART,
  name: 'openai, json',
  env: { OPENAI_VIDEOS_BODY: 'json' },
}
/**
 * An order counts as not accepted only at its deadline, by default after twenty minutes.
 */
const VERTEX: Protocol = {
  name: 'vertex-veo',
  flavour: 'vertex-veo',
  family: 'vertex',
  env: { VERTEX_DEADLINE_SECONDS: '240' },
  findsOrders: true,
  negativePrompt: 'field',
}
const RUNWAY: Protocol = {
  name: 'runway, orders again',
  flavour: 'runway',
  family: 'runway',
  env: { RUNWAY_AMBIGUOUS: 'resubmit' },
  findsOrders: false,
  negativePrompt: 'field',
}
const RUNWAY_CAREFUL: Protocol = { ...RUNWAY, name: 'runway', env: {} }
const KLING: Protocol = {
  name: 'kling',
  flavour: 'kling',
  family: 'tasks',
  env: { TASKS_DEADLINE_SECONDS: '240', TASKS_SECONDS: '4,8' },
  findsOrders: true,
  negativePrompt: 'field',
}

/** Consecutive seeds use them in turn. */
const SETTINGS: readonly Setting[] = [
  { ...MULTIPART, storage: 'disk' },
  { ...VERTEX, storage: 'bucket' },
  { ...MULTIPART, second: KLING, storage: 'disk' },
  { ...RUNWAY, storage: 'disk' },
  { ...JSON_BODY, storage: 'bucket' },
  { ...VERTEX, storage: 'disk' },
  { ...MULTIPART, storage: 'bucket' },
  { ...JSON_BODY, storage: 'disk' },
  { ...RUNWAY_CAREFUL, second: JSON_BODY, storage: 'bucket' },
  { ...RUNWAY_CAREFUL, storage: 'bucket' },
]

/** A shorter run is the short form. */
const LONG_FROM_MINUTES = 10

const USAGE = `npm run soak -- [--minutes N] [--seed S] [--trouble name,name]

  --minutes N       how long trouble is made (20); below ${LONG_FROM_MINUTES} each trouble is shorter
  --seed S          repeats a run: which protocol, which storage, which troubles when (random)
  --trouble a,b     only these troubles; --trouble none makes none, --trouble list names them
`

/** Parses the command line. Returns undefined if it asks for help. Throws on unknown options. */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '20' },
      seed: { type: 'string' },
      trouble: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return undefined
  }
  const minutes = Number(values.minutes)
  const seed =
    values.seed === undefined
      ? Math.floor(Math.random() * 2 ** 31)
      : Math.floor(Number(values.seed))
  if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error(USAGE)
  const troubles = values.trouble.split(',').filter((name) => name !== '')
  return {
    minutes,
    seed,
    troubles,
    setting: settingFor(seed, troubles),
    isShort: minutes < LONG_FROM_MINUTES,
  }
}

/** If a trouble selected by name needs a certain storage, that storage is used. */
function settingFor(seed: number, troubles: readonly string[]): Setting {
  const setting = SETTINGS[Math.abs(seed) % SETTINGS.length]!
  if (troubles.includes('bucket-away')) return { ...setting, storage: 'bucket' }
  if (troubles.includes('disk-full')) return { ...setting, storage: 'disk' }
  return setting
}
