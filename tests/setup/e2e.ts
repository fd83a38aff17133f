import { ensureBuilt } from '../../scripts/lib/state.mjs'
import { startSharedCluster } from '../support/shared-cluster'

/** Does the same as `product.ts`, for Playwright, which cleans up after SIGINT itself. */
export default async function setup(): Promise<() => Promise<void>> {
  await ensureBuilt()
  return startSharedCluster()
}
