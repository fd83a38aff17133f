import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

/**
 * The version before five migrations (retention, lock-outs, confirmed sessions, request ids,
 * indexes).
 */
const OLD = '795dba40'
const proxyName = PROXIES.find((name) => versionOf(name) !== undefined)
const isPossible = proxyName !== undefined && (await hasCommit(OLD))
if (!isPossible)
  process.stdout.write(`Skipped: an upgrade needs a proxy and the commit ${OLD} in this clone.\n`)

let home: string
/** Built once per machine, because it never changes. */
const oldFolder = path.join(os.tmpdir(), `reelmill-${OLD}`)
beforeAll(async () => {
  home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-upgrade-'))
  await fs.chmod(home, 0o755)
  if (!isPossible) return
  await copyProduct(oldFolder, OLD)
  await installAndBuild(oldFolder)
})
afterAll(() => fs.rm(home, { recursive: true, force: true }))

/** Runs the release step of a version, as an operator does. */
const migrate = (folder: string, url: string) =>
  promisify(execFile)(process.execPath, ['scripts/migrate.mjs'], {
    cwd: folder,
    env: { ...bareEnv(), ...testEnv(url, home) },
  })

/** Creates a database with the old version. */
async function oldDatabase(clusterUrl: string): Promise<string> {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`
  await asOwner(clusterUrl, (client) => client.query(`create database ${name}`))
  const url = databaseUrl(clusterUrl, name)
  await migrate(oldFolder, url)
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
        await migrate('.', product.db.options.connectionString!)
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
