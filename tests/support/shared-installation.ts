import { afterAll, beforeAll } from 'vitest'
import { startInstallation, type Installation, type InstallationOptions } from './installation'

/**
 * The installation that the tests of a file share: there before the first of them and before the hooks
 * that the file adds later, removed after all of these.
 */
export function useInstallation(options?: InstallationOptions): Installation {
  const shared = {} as Installation
  beforeAll(async () => {
    Object.assign(shared, await startInstallation(options))
  })
  afterAll(() => shared.remove())
  return shared
}
