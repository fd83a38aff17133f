import { setTimeout as sleep } from 'node:timers/promises'
import { startSimulator, type Simulator } from '../tests/simulator/simulator'
import { namedEnvFor } from '../tests/simulator/settings'
import { startInstallation } from '../tests/support/installation'
import { until } from '../tests/support/wait'
import { startBare } from './bare'
import { median, p99, round } from './measure'

const RUNS = 40
/** A pause between two orders, so that the work for one is over when the next begins. */
const PAUSE_MS = 1_200

type Spread = { p50: number; p99: number }

export type FirstCall = {
  /** From the start of POST /api/videos/generate to the call at the provider, in ms. */
  ours: Spread
  /** The same for a bare server that inserts one row and calls the provider. */
  bare: Spread
  ratio: number
  /** The same with three providers set up, of which the first makes the clip. */
  withThree: Spread
  threeOverOne: number
}

/** B17: measures how soon a single order is sent to the provider. Meaningful on an idle machine. */
export async function firstCall(): Promise<FirstCall> {
  const sim = await startSimulator()
  const product = await startInstallation({ worker: true, env: sim.env('openai') })
  const others = {
    MORE_VIDEO_PROVIDERS: 'second,third',
    ...namedEnvFor('second', sim.env('kling')),
    ...namedEnvFor('third', sim.env('runway')),
  }
  const three = await startInstallation({ worker: true, env: sim.env('openai', others) })
  const account = { plan: 'Enterprise', video_limit: 1000, speed_limit: 100 } as const
  const user = await product.user(account)
  const routed = await three.user({ ...account, route: 'first second' })
  const bare = await startBare(product, { orders: `${sim.apiUrl}/openai/v1/videos` })
  const ours: number[] = []
  const ofThree: number[] = []
  const theirs: number[] = []
  const order = async (of: typeof user, i: number) => {
    const input = { prompt: `A kite, scene ${i}`, aspectRatio: 'portrait' }
    const { status } = await of.post('/api/videos/generate', input)
    if (status !== 201) throw new Error(`answered ${status}`)
  }
  try {
    for (let i = -2; i < RUNS; i++) {
      const [own, third, other] = [
        await untilCalled(sim, () => order(user, i)),
        await untilCalled(sim, () => order(routed, i)),
        await untilCalled(sim, () => fetch(`${bare.url}/order`)),
      ]
      if (i >= 0) {
        ours.push(own)
        ofThree.push(third)
        theirs.push(other)
      }
    }
  } finally {
    await bare.stop()
    await product.remove()
    await three.remove()
    await sim.stop()
  }
  const ratio = round(median(ours) / median(theirs))
  const threeOverOne = round(median(ofThree) / median(ours))
  return {
    ours: spread(ours),
    bare: spread(theirs),
    ratio,
    withThree: spread(ofThree),
    threeOverOne,
  }
}

/** Returns the milliseconds from the start of `send` to the call that it causes at the provider. */
async function untilCalled(sim: Simulator, send: () => Promise<unknown>): Promise<number> {
  const before = sim.journal().length
  const at = Date.now()
  await send()
  const call = await until('the order at the provider', () =>
    sim
      .journal()
      .slice(before)
      .find(({ op }) => op === 'submit'),
  )
  await sleep(PAUSE_MS + Math.random() * 500)
  return call.at - at
}

const spread = (values: readonly number[]): Spread => ({
  p50: round(median(values)),
  p99: round(p99(values)),
})
