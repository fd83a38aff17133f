import { afterAll, beforeAll } from 'vitest'
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
