import path from 'node:path'
import { boot } from '../app/boot/deps.server'
import { readEnv } from '../app/platform/env.server'
import { minutes } from '../app/lib/time'
import { loadTables, type LoadSize } from '../jobs/seed/load'
import type { Client } from '../tests/support/client'
import { startInstallation, type Installation, type TestUser } from '../tests/support/installation'
import type { ProcessEnv } from '../tests/support/processes'
import { addVideos } from '../tests/support/ended-videos'

/** A running product with rows in its tables, a signed-in user and an administrator. */
export type Fixture = {
  product: Installation
  /** A user with a gallery of their own, and an administrator. */
  owner: TestUser
  admin: Client
  /** Adds users and videos up to the given numbers. */
  grow: (size: LoadSize) => Promise<void>
  stop: () => Promise<void>
}

/** The added videos share one clip, which is never played. */
const NO_CLIP = {
  path: '',
  posterPath: '',
  bytes: 1,
  sha256: '0'.repeat(64),
  crc32: 0,
  durationMs: 4000,
}
const key = '00/00000000-0000-4000-8000-000000000000'
const FILES = (['portrait', 'landscape'] as const).map((aspectRatio) => ({
  ...NO_CLIP,
  aspectRatio,
  prompt: `A ${aspectRatio} scene for the benchmark`,
  fileKey: `${key}.mp4`,
  posterKey: `${key}.jpg`,
}))

type Start = { ownVideos: number; env?: ProcessEnv }

/** Starts a web process on a new database. `stop` removes both. */
export async function startFixture({ ownVideos, env: more = {} }: Start): Promise<Fixture> {
  const product = await startInstallation({ env: more, withRealPasswords: true })
  const owner = await product.user({ plan: 'Enterprise' })
  const admin = await product.user({ role: 'admin' })
  await addVideos(product, { userId: owner.userId, status: 'completed', n: ownVideos })
  const env = readEnv({ NODE_ENV: 'test', ...product.env, LOG_LEVEL: 'silent' })
  if (!env.ok) throw new Error(env.problems.join('; '))
  const booted = boot({
    env: env.env,
    name: 'bench',
    buildDir: path.resolve('build'),
    poolSize: 2,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: minutes(20),
  })
  return {
    product,
    owner,
    admin,
    grow: (size) => loadTables(booted, size, FILES),
    stop: async () => {
      await booted.close()
      await product.remove()
    },
  }
}

/**
 * Fetches a whole response and returns its length in bytes. Throws if its status is 400 or higher.
 */
export async function read(
  client: Client,
  address: string,
  headers: HeadersInit = {},
): Promise<number> {
  const response = await client.send('GET', address, { headers })
  const body = await response.arrayBuffer()
  if (response.status >= 400) throw new Error(`${address} answered ${response.status}`)
  return body.byteLength
}
