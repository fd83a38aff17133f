import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../simulator/simulator'
import { startInstallation } from '../support/installation'
import { startWeb, testEnv } from '../support/processes'
import { until } from '../support/wait'
import { command, emptyDatabase } from './archives'

const digestOf = async (response: Response) =>
  createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')

// Backups in the middle of a batch, into buckets and into the embedded database are in
// backup.slow.test.ts.
test('a backup of a running product, restored elsewhere: the session, the quota and the bytes of the clip are the same', async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-backup-'))
  onTestFinished(() => fs.rm(home, { recursive: true, force: true }))
  const sim = await startSimulator({ scenario: { defaults: { generationMs: 2_000 } } })
  onTestFinished(() => sim.stop())
  const product = await startInstallation({ worker: true, env: sim.env('openai') })
  onTestFinished(() => product.remove())
  const user = await product.user()
  const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'A pond' })
  await until('the video', async () => {
    const response = await user.get<{ status: string }>(`/api/videos/${body.id}/status`)
    return response.body.status === 'completed'
  })
  const before = await digestOf(await user.send('GET', `/media/${body.id}.mp4`))

  const file = path.join(home, 'reelmill.tar')
  expect(await command('backup', file, product.env)).toMatchObject({ code: 0 })
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  const env = testEnv(database.url, path.join(home, '.data'))
  expect(await command('restore', file, env)).toMatchObject({ code: 0 })

  const web = await startWeb(env)
  onTestFinished(() => web.stop())
  const headers = { cookie: user.cookieHeader }
  const media = await fetch(`${web.url}/media/${body.id}.mp4`, { headers })
  expect(await digestOf(media)).toBe(before)
  const me = await fetch(`${web.url}/api/auth/me`, { headers })
  expect(await me.json()).toMatchObject({ videosGeneratedToday: 1 })
})
