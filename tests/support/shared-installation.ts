import { afterAll, beforeAll } from 'vitest'
import type { Flavour } from '../simulator/settings'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startInstallation, type Installation, type InstallationOptions } from './installation'

/**
 * Starts the installation that the tests of a file share. It is started before the hooks that the
 * file adds later, and removed after them.
 */
export function useInstallation(options?: InstallationOptions): Installation {
  const shared = {} as Installation
  beforeAll(async () => {
    Object.assign(shared, await startInstallation(options))
  })
  afterAll(() => shared.remove())
  return shared
}

type SimulatedOptions = Pick<InstallationOptions, 'worker'> & {
  /** The platform's own token; null for none. Default: one that the simulator knows. */
  token?: string | null
}

/** Does the same with a simulated provider, which is stopped last. */
export function useSimulatedInstallation(
  flavour: Flavour,
  { token, ...options }: SimulatedOptions = {},
): { simulator: Pick<Simulator, 'orders' | 'play' | 'token' | 'accepted'>; product: Installation } {
  const simulator = {} as Simulator
  const product = {} as Installation
  beforeAll(async () => {
    Object.assign(simulator, await startSimulator())
    const { VIDEO_PROVIDER_TOKEN: known, ...rest } = simulator.env(flavour)
    const own = token === undefined ? known : token
    const env = own == null ? rest : { ...rest, VIDEO_PROVIDER_TOKEN: own }
    Object.assign(product, await startInstallation({ ...options, env }))
  })
  afterAll(async () => {
    await product.remove()
    await simulator.stop()
  })
  return { simulator, product }
}
