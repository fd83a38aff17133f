import { afterAll, beforeAll } from 'vitest'
import { startSharedCluster } from './shared-cluster'
import { startThrowAwayCluster } from './cluster'

type OwnCluster = Awaited<ReturnType<typeof startThrowAwayCluster>>

/**
 * Starts a PostgreSQL of the file's own, whose tests may stop, freeze or fill it. The installations
 * that the file starts afterwards use it.
 */
export function useOwnCluster(settings: Record<string, string>): OwnCluster {
  const cluster = {} as OwnCluster
  const shared = process.env.TEST_CLUSTER_URL ?? ''
  beforeAll(async () => {
    Object.assign(cluster, await startThrowAwayCluster(settings))
    process.env.TEST_CLUSTER_URL = cluster.url
    await startSharedCluster()
  })
  afterAll(async () => {
    await cluster.remove()
    process.env.TEST_CLUSTER_URL = shared
  })
  return cluster
}
