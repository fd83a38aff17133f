import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from '../../scripts/lib/postgres.mjs'
import { startProduct, type Product } from '../soak/product'
import { openFront } from './support/front'
import { HOST, PROXIES, startProxyProgram, versionOf } from './support/proxies'
import { optionsWith, underLoad } from './support/traffic'

vi.setConfig({ testTimeout: 540_000 })

// A deployment behind a load balancer: the processes are restarted one after the other, each as
// soon as the previous one is ready, without waiting for the proxy to notice.

const RESTARTS = 3

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function restartAll({ webs, workers }: Product): Promise<void> {
  for (let time = 0; time < RESTARTS; time++)
    for (const each of [...webs, ...workers]) expect(await each.restart()).toBe(0)
}

for (const name of PROXIES) {
  const version = versionOf(name)
  process.stdout.write(
    version === undefined
      ? `Skipped: no ${name} on this machine (apt install ${name}).\n`
      : `${name}: ${version}\n`,
  )
  test.runIf(version)(
    `F27: a rolling restart of two web servers and three workers behind ${name}: no request fails, no video is lost, no round is early`,
    async () => {
      const home = path.resolve('test-results/parts', name)
      await fs.rm(home, { recursive: true, force: true })
      await fs.mkdir(home, { recursive: true })
      const https = await freePort()
      const options = optionsWith({ APP_URL: `https://${HOST}:${https}`, TRUST_PROXY: '1' })
      const product = await startProduct(options, home, { workers: 3 })
      ends.push(product.stop)
      const proxy = await startProxyProgram(name, { home, webs: product.urls, https })
      ends.push(proxy.stop)
      const front = openFront(proxy.origin, proxy.ca)
      ends.push(front.close)
      await underLoad({ product, options, front, origin: proxy.origin }, () => restartAll(product))
    },
  )
}
