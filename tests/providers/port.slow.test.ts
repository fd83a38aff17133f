import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { localProvider } from '../../app/platform/providers/local/adapter.server'
import type { Credential } from '../../app/platform/providers/port'
import { renderOrder } from '../../renderer/order'
import { Secret } from '../../app/platform/secrets/secret'
import { until } from '../support/wait'
import { portContract } from './contract'

const NONE: Credential = {
  id: 'none',
  accountScope: 'local',
  kind: 'none',
  secret: new Secret(''),
}

// Shared by all tests, so that a clip is rendered only once.
const ordersDir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-orders-'))
afterAll(() => fs.rm(ordersDir, { recursive: true, force: true }))

portContract('local', async () => {
  const provider = localProvider({
    ordersDir,
    rendererEntry: path.resolve('build/render-clip.js'),
    concurrency: 1,
    model: 'local-preview',
    timeScale: 1,
  })
  return {
    provider,
    credential: () => NONE,
    ready: (ref) =>
      until('the clip', async () => {
        const result = await provider.poll(ref, NONE, AbortSignal.timeout(30_000))
        return result.state !== 'pending' && result
      }),
    received: async ({ id }) => {
      const file = path.join(ordersDir, id, 'order.json')
      const { prompt, negativePrompt } = renderOrder.parse(
        JSON.parse(await fs.readFile(file, 'utf8')),
      )
      return { prompt, negativePrompt }
    },
    pictures: async ({ id }) => {
      const file = path.join(ordersDir, id, 'picture.jpg')
      return [await fs.readFile(file).catch(() => null)]
    },
    endPictures: async ({ id }) => {
      const file = path.join(ordersDir, id, 'end-picture.jpg')
      return [await fs.readFile(file).catch(() => null)]
    },
    hasNegativePrompt: true,
    stop: () => provider.stop(),
  }
})
