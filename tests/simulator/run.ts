import fs from 'node:fs'
import { parseArgs } from 'node:util'
import { scenarioSchema } from './scenario'
import { FLAVOURS, type Flavour } from './settings'
import { startSimulator, type Simulator } from './simulator'

// The simulator as a program: `npm run simulator`. It runs until it is interrupted.

const USAGE = `npm run simulator -- [flavour …] [options]

Flavours: ${FLAVOURS.join(', ')}. All are always served;
naming one prints its settings.

  --port N          where the providers' calls are answered (4010)
  --files-port N    where finished clips lie (4011)
  --seconds N       how long a clip takes (8)
  --scenario FILE   JSON as tests/simulator/scenario.ts describes it
  --ledger FILE     where accepted orders are written down, one line each
  --key PROJECT     prints a service-account key for this project too
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '4010' },
    'files-port': { type: 'string', default: '4011' },
    seconds: { type: 'string', default: '8' },
    scenario: { type: 'string' },
    ledger: { type: 'string' },
    key: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const isFlavour = (name: string): name is Flavour => FLAVOURS.some((flavour) => flavour === name)

function scenarioOf() {
  const given: unknown =
    values.scenario === undefined ? {} : JSON.parse(fs.readFileSync(values.scenario, 'utf8'))
  const scenario = scenarioSchema.parse(given)
  const generationMs = Number(values.seconds) * 1000
  return values.scenario === undefined
    ? { ...scenario, defaults: { ...scenario.defaults, generationMs } }
    : scenario
}

/** Returns the settings to put before `npm start`, in shell syntax. */
function settingsOf(sim: Simulator, flavour: Flavour): string {
  const env = sim.env(flavour, { VIDEO_PROVIDER_TIME_SCALE: '0.1' })
  const lines = Object.entries(env).map(([name, value]) => `  ${name}=${value} \\\n`)
  return `${flavour}:\n${lines.join('')}  npm start\n`
}

async function main(): Promise<void> {
  const strange = positionals.filter((name) => !isFlavour(name))
  if (values.help || strange.length > 0) {
    process.stdout.write(USAGE)
    process.exit(values.help ? 0 : 1)
  }
  const sim = await startSimulator({
    scenario: scenarioOf(),
    port: Number(values.port),
    filesPort: Number(values['files-port']),
    ...(values.ledger === undefined ? {} : { ledgerFile: values.ledger }),
  })
  const named = positionals.filter(isFlavour)
  const shown = named.length > 0 ? named : (['vertex-veo', 'openai', 'runway'] as const)
  process.stdout.write(`The simulator answers on ${sim.apiUrl}, clips lie on ${sim.filesUrl}.
Orders taken so far: ${sim.apiUrl}/__simulator/stats
In another terminal, one of:

${shown.map((flavour) => settingsOf(sim, flavour)).join('\n')}
`)
  if (values.key !== undefined) process.stdout.write(`${sim.serviceAccountKey(values.key)}\n`)
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => void sim.stop().then(() => process.exit(0)))
  }
}

await main()
