import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import type { VideoView } from '../../../app/domain/videos/types'
import { startSimulator } from '../../simulator/simulator'
import { Client } from '../../support/client'
import { startInstallation, type Installation } from '../../support/installation'
import { findViolations } from '../../support/invariants'
import { startWeb } from '../../support/processes'
import { until } from '../../support/wait'

// Uses real processes and real limits: a reserve that no disk can satisfy, and the kernel's limit
// on the size of the files that a process writes.
let product: Installation
afterEach(async () => {
  expect(await findViolations(product.db)).toEqual({})
  await product.remove()
})

const MORE_THAN_ANY_DISK = { STORAGE_RESERVE_MB: '1000000000' }
const textOf = async (client: Client, path: string) =>
  (await (await client.send('GET', path)).text()).replaceAll('<!-- -->', '')
const isDone = async (user: Client, id: string) =>
  (await user.get<VideoView>(`/api/videos/${id}/status`)).body.status === 'completed'

test('R13: below the reserve a video waits, and its owner and administrators see why; with space it is made', async () => {
  product = await startInstallation({ worker: true, env: MORE_THAN_ANY_DISK })
  const [user, admin] = [await product.user(), await product.user({ role: 'admin' })]
  const { body } = await user.post<VideoView>('/api/videos/generate', { prompt: 'A lantern' })
  await until('the reason', async () => {
    const page = await textOf(user, '/app')
    return page.includes('1 video on hold.') && page.includes('Our storage for videos is full')
  })
  const system = await textOf(admin, '/admin/system')
  expect(system).toMatch(/976,562\.5 GB kept in reserve: no new video is ordered/)
  expect(system).toContain('Work resumes on its own')
  const { rows } = await product.db.query('select state from attempts')
  expect(rows).toEqual([])
  expect(product.worker?.output()).toContain('"reason":"space","msg":"a gate is closed"')

  // The operator lowers the reserve.
  await product.worker?.stop()
  const env = { ...product.env, STORAGE_RESERVE_MB: '0' }
  await product.startWorker(env)
  await until('the video', () => isDone(user, body.id))
  const web = await startWeb(env)
  const again = new Client(web.url)
  for (const { name, value } of admin.cookies()) again.keep(`${name}=${value}`)
  expect(await textOf(again, '/admin/system')).not.toContain('no new video is ordered')
  await web.stop()
})

const prlimit = (pid: number | undefined, bytes: string) =>
  promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
const canLimit = await prlimit(process.pid, 'unlimited').then(
  () => true,
  () => false,
)

test.runIf(canLimit)(
  'F16: a worker that may write only 2 kB: the clip stays with the provider and is fetched once the limit is gone',
  async () => {
    const sim = await startSimulator({ scenario: { defaults: { generationMs: 100 } } })
    product = await startInstallation({ env: sim.env('openai') })
    const user = await product.user()
    const worker = await product.startWorker()
    await prlimit(worker.child.pid, '2048')
    const { body } = await user.post<VideoView>('/api/videos/generate', { prompt: 'A lantern' })
    await until('the disk to be full', () => worker.output().includes('a clip could not be stored'))
    await until('the reason', async () =>
      (await textOf(user, '/app')).includes('Our storage for videos is full'),
    )
    const video = await user.get<VideoView>(`/api/videos/${body.id}/status`)
    expect(video.body.status).toBe('generating')
    await prlimit(worker.child.pid, 'unlimited')
    await until('the video', () => isDone(user, body.id))
    const file = await user.send('GET', `/media/${body.id}.mp4`)
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(2048)
    expect(sim.accepted()).toHaveLength(1)
    await sim.stop()
  },
)
