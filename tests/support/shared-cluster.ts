import { runMigrations } from 'graphile-worker'
import { makePlainUser } from '../../scripts/lib/plain-user.mjs'
import { prisma } from '../../scripts/lib/prisma.mjs'
import { asOwner, databaseUrl, startThrowAwayCluster } from './cluster'
import { TEMPLATE } from './database'

/**
 * Starts one PostgreSQL for the whole run, with a migrated template that each test file clones. An
 * existing cluster (TEST_CLUSTER_URL) is used and left running. Returns a function that removes it.
 */
export async function startSharedCluster(): Promise<() => Promise<void>> {
  const given = process.env.TEST_CLUSTER_URL
  const cluster = given ? undefined : await startThrowAwayCluster()
  const url = given ?? cluster?.url ?? ''
  process.env.TEST_CLUSTER_URL = url
  await makeTemplate(url)
  return async () => {
    await cluster?.remove()
  }
}

async function makeTemplate(url: string): Promise<void> {
  const exists = await asOwner(url, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    return (found.rowCount ?? 0) > 0
  })
  if (exists) return
  await asOwner(url, (client) => client.query(`create database ${TEMPLATE}`))
  const template = databaseUrl(url, TEMPLATE)
  const code = await prisma(['migrate', 'deploy'], {
    env: { DATABASE_URL: template },
    doneWhen: /successfully applied\./,
    quiet: true,
  })
  if (code !== 0) throw new Error('the template database could not be migrated')
  await runMigrations({ connectionString: template })
  await makePlainUser(template)
}
