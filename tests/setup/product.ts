import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../../scripts/lib/state.mjs'
import { startSharedCluster } from '../support/shared-cluster'
import { cleanUpWhenInterrupted } from './interrupted'

/**
 * Prepares what HTTP, browser and process tests need: programs built from the current sources, and a
 * PostgreSQL. In watch mode the programs are built again before each rerun.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  cleanUpWhenInterrupted()
  await ensureBuilt()
  project.onTestsRerun(ensureBuilt)
  return startSharedCluster()
}
