import { nodeArgs, WEB } from '../scripts/lib/supervisor.mjs'
import { addVideos } from '../tests/support/ended-videos'
import type { Client } from '../tests/support/client'
import { startInstallation } from '../tests/support/installation'
import { startBare } from './bare'
import { read } from './fixture'
import { residentMb } from './web-process'

const REQUESTS = 12_000
const AT_ONCE = 10
const OWN_VIDEOS = 10_000

export type Memory = {
  /** Resident memory in MB: after the start, and after each third of the requests. */
  ours: { start: number; after: number[] }
  /** A bare server after as many lists of 12 rows. */
  bare: number
}

/** B18: measures the web process's memory under mixed pages and polls. */
export async function memory(): Promise<Memory> {
  const product = await startInstallation({ withRealPasswords: true, nodeArgs: nodeArgs(WEB) })
  const owner = await product.user({ plan: 'Enterprise' })
  const admin = await product.user({ role: 'admin' })
  const visitor = product.client()
  await addVideos(product, { userId: owner.userId, status: 'completed', n: OWN_VIDEOS })
  await product.db.query('vacuum analyze')
  const bare = await startBare(product, owner)
  const visits: [Client, string][] = [
    ...['/app', '/dashboard', '/usage', '/api/auth/me', '/api/batches'].map(of(owner)),
    ...['/api/videos/changes', '/api/videos/changes?screen=videos'].map(of(owner)),
    ...['/api/videos?page=1&limit=12', '/api/videos?page=1&limit=500'].map(of(owner)),
    ...['/', '/login', '/pricing'].map(of(visitor)),
    ...['/admin', '/admin/videos'].map(of(admin)),
  ]
  const visit = async (i: number) => {
    const [who, path] = visits[i % visits.length] ?? [visitor, '/']
    await read(who, path)
  }
  try {
    const start = await residentMb(product)
    const after: number[] = []
    for (let third = 0; third < 3; third++) {
      await many(REQUESTS / 3, visit)
      after.push(await residentMb(product))
    }
    await many(REQUESTS, async () => {
      await (await fetch(`${bare.url}/rows?n=12`)).arrayBuffer()
    })
    return { ours: { start, after }, bare: await residentMb({ web: bare }) }
  } finally {
    await bare.stop()
    await product.remove()
  }
}

const of =
  (who: Client) =>
  (path: string): [Client, string] => [who, path]

async function many(count: number, run: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
}
