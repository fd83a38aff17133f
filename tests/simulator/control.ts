import type { Incoming, Reply } from './exchange'
import { compact, objectIn, textOf } from './json'
import { openRules, scenarioSchema } from './scenario'
import type { SimulatorInstance } from './server'

/** Path of the simulator's own calls. No provider uses it. */
export const CONTROL = '/__simulator/'

/** Handles the simulator's own calls, for programs in other processes. */
export function control(instance: SimulatorInstance, incoming: Incoming): Reply {
  const { simulation, journal } = instance
  const { method, url } = incoming
  switch (`${method} ${url.pathname.slice(CONTROL.length)}`) {
    case 'GET stats':
      return compact(200, simulation.orders.stats())
    case 'GET ledger':
      return compact(200, simulation.orders.entries())
    case 'GET orders':
      return compact(
        200,
        simulation.orders.all().map(({ id, requests }) => ({ orderId: id, requests })),
      )
    case 'GET journal':
      return compact(200, journal.entries)
    case 'GET scenario':
      return compact(200, simulation.scenario)
    case 'PUT scenario': {
      const parsed = scenarioSchema.safeParse(objectIn(incoming))
      if (!parsed.success) return compact(400, { error: parsed.error.issues })
      simulation.scenario = parsed.data
      simulation.pick = openRules(parsed.data)
      return compact(200, parsed.data)
    }
    case 'POST clock':
      simulation.clock.advance(Number(objectIn(incoming)?.advanceMs ?? 0))
      return compact(200, { now: simulation.clock.now() })
    case 'POST service-account-key': {
      const project = textOf(objectIn(incoming)?.project, 'sim-project')
      return compact(200, JSON.parse(simulation.mints.keyFile(project)))
    }
    case 'POST reset':
      instance.reset()
      return compact(200, {})
    default:
      return compact(404, { error: 'the simulator has no such call' })
  }
}
