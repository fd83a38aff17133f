import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/simulator'
import { PATIENCE_MS } from '../../support/engine/trials'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { startWorker, type TestProcess } from '../../support/processes'
import { until } from '../../support/wait'
import { untilNothingIsUnderWay, order } from '../../support/attempt-progress'

vi.setConfig({ testTimeout: PATIENCE_MS })

// As in containers: each has its own process numbers and `/proc`, and all have the machine's host
// name.
const OF_ITS_OWN = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const [unshare = '', ...flags] = OF_ITS_OWN
const isPermitted = await promisify(execFile)(unshare, [...flags, 'true']).then(
  () => true,
  () => false,
)

const ORDERS = 40
/** How long every process has to keep sending heartbeats, two seconds apart. */
const BEATS_MS = 30_000

let product: Installation
let sim: Simulator
let workers: TestProcess[]
afterEach(async () => {
  // `unshare` ignores SIGTERM. The processes it has started end with it.
  await Promise.all(workers.map((worker) => worker.kill()))
  await product.remove()
  await sim.stop()
})

type Beat = { id: string; beatAt: Date }
const heartbeats = async () =>
  (
    await product.db.query<Beat>(
      `select id::text, beat_at as "beatAt" from worker_processes order by id`,
    )
  ).rows

test.runIf(isPermitted)(
  'W-FAULT: workers of one machine in separate pid namespaces do not end each other’s leases (needs the right to make pid namespaces)',
  async () => {
    sim = await startSimulator({
      scenario: { defaults: { generationMs: [200, 4_000], submitLatencyMs: [0, 2_000] } },
    })
    product = await startInstallation({ env: sim.env('vertex-veo') })
    const { env } = product
    // Two are each the first process of their namespace. The third has a process number of the
    // machine.
    workers = await Promise.all([
      startWorker(env, [], { through: OF_ITS_OWN }),
      startWorker(env, [], { through: OF_ITS_OWN }),
      startWorker(env),
    ])
    const someEnds = Promise.race(
      workers.map(async (worker) => {
        const code = await worker.ended
        throw new Error(`a worker ended with ${code}:\n${worker.output()}`)
      }),
    )
    // Prevents an unhandled rejection after the end of the test.
    someEnds.catch(() => undefined)
    const user = await product.user({ video_limit: 1_000, speed_limit: 50 })
    for (let i = 0; i < ORDERS; i++) await order(user, `${i}`)
    await Promise.race([untilNothingIsUnderWay(product), someEnds])
    const before = await heartbeats()
    expect(before).toHaveLength(workers.length)
    const areOn = until('a further heartbeat of all workers', async () => {
      const now = await heartbeats()
      const isOn = ({ id, beatAt }: Beat) =>
        now.some((heartbeat) => heartbeat.id === id && +heartbeat.beatAt >= +beatAt + BEATS_MS)
      return before.every(isOn) && now
    })
    const later = await Promise.race([areOn, someEnds])
    expect(later.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const { rows } = await product.db.query(
      'select state::text, max(n) as n, count(*)::int from attempts group by 1',
    )
    expect(rows).toEqual([{ state: 'done', n: 1, count: ORDERS }])
    expect(sim.stats()).toMatchObject({ ordersAccepted: ORDERS, wastedOrders: 0 })
    // A worker that loses its lease in the middle of a download would cause a second one.
    expect(sim.journal().filter(({ op }) => op === 'content')).toHaveLength(ORDERS)
    expect(await findViolations(product.db)).toEqual({})
  },
)
