import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { TrashedVideo } from '../../app/domain/videos/requests/trash.server'
import { addVideos } from '../support/ended-videos'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { useSimulatedInstallation } from '../support/shared-installation'
import { type VideoPage } from '../support/videos'
import { until } from '../support/wait'
import { submitForm } from '../support/page'

const { product } = useSimulatedInstallation('openai', { worker: true })
const DELETED = '/videos/deleted'

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const htmlOf = async (user: TestUser, address: string = DELETED) =>
  (await user.send('GET', address)).text()

async function submit(user: TestUser, address: string, fields: Record<string, string>) {
  return submitForm(user, address, fields, { shown: '/dashboard' })
}

const gallery = async (user: TestUser) =>
  (await user.get<VideoPage>('/api/videos')).body.videos.map(({ prompt }) => prompt)

const trash = async (user: TestUser) => {
  const { body } = await user.get<{ videos: TrashedVideo[]; next: string | null }>(
    '/api/videos/deleted',
  )
  return body.videos
}

const add = (user: TestUser, prompt: string) =>
  addVideos(product, { userId: user.userId, status: 'completed', prompt, withFiles: true })

const isStored = (key: string) =>
  fs.access(path.join(product.dataDir, 'videos', key)).then(
    () => true,
    () => false,
  )

describe('recently deleted', () => {
  test('U-DEL-1: owners restore what they deleted, and nobody else’s; no quota is used', async () => {
    const user = await product.user()
    const other = await product.user()
    const [kite = ''] = await add(user, 'A kite')
    const [boat = ''] = await add(user, 'A boat')
    const [foreign = ''] = await add(other, 'Not yours')
    for (const id of [kite, boat]) await user.call('DELETE', `/api/videos/${id}`)
    await other.call('DELETE', `/api/videos/${foreign}`)
    const text = textOf(await htmlOf(user))
    expect(text).toMatch(/A boat With its clip · deleted .* · gone for good .*A kite/)
    expect(text).not.toContain('Not yours')
    expect(textOf(await htmlOf(other))).not.toContain('A kite')
    const texts = {
      restore: 'Tick the videos to restore',
      'ask-remove': 'Tick the videos to delete',
    }
    for (const [intent, text] of Object.entries(texts)) {
      expect((await submit(user, DELETED, { intent })).headers.get('location')).toBe(DELETED)
      expect(await htmlOf(user)).toContain(text)
    }
    const refused = await submit(user, DELETED, { intent: 'restore', ids: foreign })
    expect(refused.status).toBe(409)
    const restored = await submit(user, DELETED, { intent: 'restore', ids: kite })
    expect(restored.status).toBe(303)
    expect(await gallery(user)).toEqual(['A kite'])
    const media = await user.send('GET', `/media/${kite}.mp4`)
    expect(media.status).toBe(200)
    await media.arrayBuffer()
    expect((await submit(user, DELETED, { intent: 'restore', ids: 'nothing' })).status).toBe(409)
    expect(
      (await user.get<{ quota: { used: number } }>('/api/videos/changes')).body.quota.used,
    ).toBe(0)
  })

  test('U-DEL-2: Undo restores what one deletion removed, and nothing else', async () => {
    const user = await product.user()
    const ids = await Promise.all(['one', 'two', 'three'].map((prompt) => add(user, prompt)))
    const [one = '', two = '', three = ''] = ids.flat()
    await user.call('DELETE', `/api/videos/${one}`)
    await submit(user, '/dashboard', { intent: 'delete-selected', ids: two })
    const at = (await trash(user))[0]?.deletedAt ?? ''
    await user.call('DELETE', `/api/videos/${three}`)
    const other = await product.user()
    expect((await submit(other, DELETED, { intent: 'undo', on: at })).status).toBe(409)
    expect((await submit(user, DELETED, { intent: 'undo', on: 'now' })).status).toBe(400)
    expect((await submit(user, DELETED, { intent: 'undo', on: at })).status).toBe(303)
    expect(await gallery(user)).toEqual(['two'])
    // Without scripts the message leads to what was deleted.
    await submit(user, '/dashboard', { intent: 'delete', on: two })
    expect(await htmlOf(user, '/dashboard')).toMatch(/Video deleted[\s\S]*href="\/videos\/deleted"/)
  })

  test('what owners delete for good is gone at once, with its files, also for administrators', async () => {
    const user = await product.user()
    const admin = await product.user({ role: 'admin' })
    const [gone = ''] = await add(user, 'Gone')
    const [kept = ''] = await add(user, 'Kept')
    const key = `${gone.slice(-2)}/${gone}.mp4`
    for (const id of [gone, kept]) await user.call('DELETE', `/api/videos/${id}`)
    const asked = await submit(user, DELETED, { intent: 'ask-remove', ids: gone })
    expect(await htmlOf(user, asked.headers.get('location') ?? '')).toContain(
      'Delete 1 video for good?',
    )
    expect(await isStored(key)).toBe(true)
    expect((await submit(admin, DELETED, { intent: 'remove', ids: gone })).status).toBe(409)
    expect((await submit(user, DELETED, { intent: 'remove', ids: gone })).status).toBe(303)
    expect((await trash(user)).map(({ prompt }) => prompt)).toEqual(['Kept'])
    const all = await htmlOf(admin, `/admin/videos/trash?search=${user.username}`)
    expect(textOf(all)).toMatch(/Kept/)
    expect(textOf(all)).not.toMatch(/Gone/)
    await until('the file to be deleted', async () => !(await isStored(key)))
    expect(await isStored(`${kept.slice(-2)}/${kept}.mp4`)).toBe(true)
  })

  test('the calls list, restore and delete for good', async () => {
    const user = await product.user()
    const ids = (await Promise.all(['a', 'b', 'c'].map((prompt) => add(user, prompt)))).flat()
    for (const id of ids) await user.call('DELETE', `/api/videos/${id}`)
    expect(await trash(user)).toMatchObject([{ prompt: 'c' }, { prompt: 'b' }, { prompt: 'a' }])
    const restored = await user.post('/api/videos/deleted', { videoIds: ids.slice(0, 2) })
    expect(restored).toMatchObject({ status: 200, body: { count: 2 } })
    expect((await user.post('/api/videos/deleted', { videoIds: ids.slice(0, 2) })).status).toBe(409)
    const removed = await user.call('DELETE', '/api/videos/deleted', { videoIds: ids })
    expect(removed).toMatchObject({ status: 200, body: { count: 1 } })
    expect(await trash(user)).toEqual([])
    expect((await gallery(user)).sort()).toEqual(['a', 'b'])
  })
})
