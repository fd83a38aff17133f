import { ensureBuilt } from '../../scripts/lib/state.mjs'
import { startSharedCluster } from '../support/shared-cluster'
import { cleanUpWhenInterrupted } from './interrupted'

/** Does the same as `product.ts`, for Playwright. */
export default async function setup(): Promise<() => Promise<void>> {
  cleanUpWhenInterrupted()
  await ensureBuilt()
  return startSharedCluster()
}
