import fs from 'node:fs/promises'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { startSharedCluster } from '../tests/support/shared-cluster'
import { pace } from './b1-pace'
import { bulkSubmit } from './b2-bulk-submit'
import { dispatch } from './b3-dispatch'
import { linePlans } from './line-plans'
import { listPath } from './b6-list'
import { weight } from './b7-bytes'
import { day } from './b8-day'
import { adminActions } from './b9-actions'
import { archive } from './b10-archive'
import { ranges } from './b11-ranges'
import { recovery } from './b12-recovery'
import { parsers } from './b14-parsers'
import { flood } from './b15-flood'
import { listCost } from './b16-list-cost'
import { firstCall } from './b17-first-call'
import { memory } from './b18-memory'
import { tables } from './tables'

// `npm run bench`: measures the speed of pages, calls and jobs, and how it changes with the size of
// the data. Ratios matter; milliseconds depend on the machine. `-- --only B2,B7` selects benches,
// and `-- --videos 10000,100000 --users 100,1000 --batches 100 --line 1000,10000` smaller data.
// B8 takes half an hour and runs only if it is selected: `-- --only B8 --minutes 30`.

const RESULTS = 'bench/results.json'

const HELP = `npm run bench -- [--only B2,B7] [--videos 10000,100000] [--users 100,1000]
  [--batches 100] [--line 1000,10000] [--minutes 30]

`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string' },
    videos: { type: 'string', default: '10000,100000,1000000' },
    users: { type: 'string', default: '100,10000' },
    batches: { type: 'string', default: '1000' },
    line: { type: 'string', default: '1000,100000' },
    minutes: { type: 'string', default: '30' },
  },
})
const numbers = (list: string) => list.split(',').map(Number)

/** The benches by their names in docs/benchmarks.md. `tables` runs those that grow one database. */
const BENCHES: Record<string, () => Promise<unknown>> = {
  B1: () => pace(Number(values.batches)),
  B2: bulkSubmit,
  B3: () => dispatch(numbers(values.line)),
  line: () => linePlans([1_000, 1_000_000]),
  B6: listPath,
  B7: weight,
  B8: () => day(Number(values.minutes)),
  B9: adminActions,
  B10: archive,
  B11: ranges,
  B12: recovery,
  B14: parsers,
  B15: flood,
  B16: listCost,
  B17: firstCall,
  B18: memory,
  tables: () => tables({ videos: numbers(values.videos), users: numbers(values.users) }),
}

/** Benches that run only if they are selected. */
const ON_REQUEST = ['B8']
const usual = Object.keys(BENCHES).filter((name) => !ON_REQUEST.includes(name))
const chosen = values.only?.split(',') ?? usual
if (values.help) {
  process.stdout.write(
    `${HELP}Benches: ${Object.keys(BENCHES).join(', ')}. docs/benchmarks.md says what they measure.\n`,
  )
  process.exit(0)
}
const removeCluster = await startSharedCluster()
try {
  const results = await readResults()
  for (const name of chosen) {
    const run = BENCHES[name]
    if (!run) throw new Error(`there is no ${name}; there are ${Object.keys(BENCHES).join(', ')}`)
    process.stdout.write(`\n${name} …\n`)
    const result = await run()
    console.dir(result, { depth: 5, maxArrayLength: null })
    results[name] = {
      measuredAt: new Date().toISOString(),
      machine: { cores: os.cpus().length, node: process.version, load: os.loadavg() },
      result,
    }
    await fs.writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  }
  process.stdout.write(`\nwritten to ${RESULTS}\n`)
} finally {
  await removeCluster()
}
process.exit(0)

/** Returns the results of earlier runs, of which each bench replaces its own. */
async function readResults(): Promise<Record<string, unknown>> {
  const text = await fs.readFile(RESULTS, 'utf8').catch(() => '{}')
  const results: unknown = JSON.parse(text)
  return typeof results === 'object' && results !== null ? { ...results } : {}
}
