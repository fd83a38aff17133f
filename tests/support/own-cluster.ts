import { afterAll, beforeAll } from 'vitest'
import setup from '../setup/global'
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
    await setup()
  })
  afterAll(async () => {
    await cluster.remove()
    process.env.TEST_CLUSTER_URL = shared
  })
  return cluster
}
