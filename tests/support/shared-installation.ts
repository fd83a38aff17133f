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

/** Does the same with a simulated provider, which is stopped last. */
export function useSimulatedInstallation(
  flavour: Flavour,
  options?: Pick<InstallationOptions, 'worker'>,
): { simulator: Pick<Simulator, 'orders' | 'play'>; product: Installation } {
  const simulator = {} as Simulator
  const product = {} as Installation
  beforeAll(async () => {
    Object.assign(simulator, await startSimulator())
    Object.assign(product, await startInstallation({ ...options, env: simulator.env(flavour) }))
  })
  afterAll(async () => {
    await product.remove()
    await simulator.stop()
  })
  return { simulator, product }
}
