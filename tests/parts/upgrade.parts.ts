import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test, vi } from 'vitest'
import { makePlainUser } from '../../scripts/lib/plain-user.mjs'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { startProduct, type Product } from '../soak/product'
import { asOwner, databaseUrl } from '../support/cluster'
import { findViolations } from '../support/invariants'
import { bareEnv, testEnv } from '../support/processes'
import { until } from '../support/wait'
import { copyProduct, hasCommit, installAndBuild } from './support/checkout'
import { openFront } from './support/front'
import { HOST, PROXIES, startProxyProgram, versionOf } from './support/proxies'
import { optionsWith, underLoad } from './support/traffic'

vi.setConfig({ testTimeout: 540_000, hookTimeout: 540_000 })

/** A version that lacks seven migrations. */
const OLD = '5b272928'
const proxyName = PROXIES.find((name) => versionOf(name) !== undefined)
const isPossible = proxyName !== undefined && (await hasCommit(OLD))
if (!isPossible)
  process.stdout.write(`Skipped: an upgrade needs a proxy and the commit ${OLD} in this clone.\n`)

/** The folder of the logs, which are kept. */
const home = path.resolve('test-results/parts/upgrade')
/** The build of the old version. It never changes, so each machine builds it once. */
const oldFolder = path.join(os.tmpdir(), `reelmill-${OLD}`)
beforeAll(async () => {
  await fs.rm(home, { recursive: true, force: true })
  await fs.mkdir(home, { recursive: true })
  if (!isPossible) return
  await copyProduct(oldFolder, OLD)
  await installAndBuild(oldFolder)
})

/** Runs a script of a version, as an operator does. */
const run = (folder: string, url: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { ...bareEnv(), ...testEnv(url, home) },
  })

/**
 * Creates a database with the old version, whose plain user has the rights that this version needs.
 */
async function oldDatabase(clusterUrl: string): Promise<string> {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`
  await asOwner(clusterUrl, (client) => client.query(`create database ${name}`))
  const url = databaseUrl(clusterUrl, name)
  await run(oldFolder, url, 'scripts/migrate.mjs')
  const { username } = new URL(await makePlainUser(url))
  await run(oldFolder, url, 'scripts/grants.mjs', username)
  return url
}

const isUnderWay = async ({ db }: Product): Promise<boolean> => {
  const { rows } = await db.query<{ done: number; moving: number }>(
    `select (select count(*)::int from videos where status = 'completed') as done,
      (select count(*)::int from attempts where state in ('submitted', 'fetching')) as moving`,
  )
  return rows[0]!.done > 5 && rows[0]!.moving > 0
}

test.runIf(isPossible)(
  'an upgrade while customers order: migrated under the old version, then replaced process by process; no request fails, every video is delivered once',
  async () => {
    const https = await freePort()
    const options = optionsWith({ APP_URL: `https://${HOST}:${https}`, TRUST_PROXY: '1' })
    let folder = oldFolder
    const product = await startProduct(options, home, {
      workers: 2,
      build: () => path.join(folder, 'build'),
      makeDatabase: oldDatabase,
    })
    const proxy = await startProxyProgram(proxyName!, { home, webs: product.urls, https })
    const front = openFront(proxy.origin, proxy.ca)
    try {
      await underLoad({ product, options, front, origin: proxy.origin }, async () => {
        await until('some of the videos', () => isUnderWay(product))
        await run('.', product.db.options.connectionString!, 'scripts/migrate.mjs')
        folder = '.'
        for (const each of [...product.webs, ...product.workers])
          expect(await each.restart()).toBe(0)
      })
      expect(await findViolations(product.db)).toEqual({})
    } finally {
      await front.close()
      await proxy.stop()
      await product.stop()
    }
  },
)
