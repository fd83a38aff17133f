import fs from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { BatchView } from '../../app/domain/batches/types'
import type { VideoView } from '../../app/domain/videos/types'
import type { Client } from '../support/client'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { useSimulatedInstallation } from '../support/shared-installation'
import { until } from '../support/wait'
import type { VideoPage } from '../support/videos'

const { simulator, product } = useSimulatedInstallation('vertex-veo', { worker: true })
let finished: TestUser & { videoId: string }
beforeAll(async () => {
  simulator.play({
    rules: [
      { when: { op: 'submit', promptIncludes: 'endless' }, do: { outcome: 'never' } },
      { when: { op: 'submit', promptIncludes: 'turn' }, do: { generationMs: 3000 } },
      { when: { op: 'submit', promptIncludes: 'refused' }, do: { outcome: 'filtered' } },
    ],
  })
  const owner = await product.user()
  const { body } = await owner.post<{ id: string }>('/api/videos/generate', {
    prompt: 'A kite over a field',
    aspectRatio: 'landscape',
  })
  finished = Object.assign(owner, { videoId: body.id })
  await until('the first video', async () => {
    const status = await owner.get<VideoView>(`/api/videos/${body.id}/status`)
    return status.body.status === 'completed'
  })
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Failure = { error: string; code: string }

/** Sends a GET whose path no client library has tidied. */
function sendRaw(user: TestUser, rawPath: string): Promise<{ status: number; body: Buffer }> {
  const { hostname, port } = new URL(product.url)
  const options = { hostname, port, path: rawPath, headers: { cookie: user.cookieHeader } }
  return new Promise((resolve, reject) => {
    http
      .get({ ...options, agent: false }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }),
        )
        response.on('error', reject)
      })
      .on('error', reject)
  })
}

/** Returns the ways in which an address can contain a path. */
const spellingsOf = (target: string): string[] => [
  target,
  encodeURIComponent(target),
  encodeURIComponent(target).replaceAll('.', '%2e'),
  encodeURIComponent(encodeURIComponent(target)),
  target.replaceAll('/', '%5c'),
]

describe('accepting', () => {
  test('U-API-9: a prompt becomes a pending video, together with its job', async () => {
    const user = await product.user()
    const response = await user.post<{ id: string }>('/api/videos/generate', {
      prompt: '  endless hi  ',
      negativePrompt: '   ',
      aspectRatio: 'portrait',
    })
    expect(response.status).toBe(201)
    const { body } = await user.get<VideoView>(`/api/videos/${response.body.id}/status`)
    expect(body).toMatchObject({
      id: response.body.id,
      prompt: 'endless hi',
      negativePrompt: null,
      aspectRatio: 'portrait',
      videoUrl: null,
    })
    expect(['pending', 'generating']).toContain(body.status)
  })

  test.each([
    ['no prompt', {}, 'Please enter a prompt'],
    ['a blank prompt', { prompt: '   ' }, 'Please enter a prompt'],
    [
      'invisible characters',
      { prompt: '\u200b\u2060 \ufeff\u00ad\u3164' },
      'Please enter a prompt',
    ],
    ['control characters', { prompt: '\u0001\u0007\u001b\u0085' }, 'Please enter a prompt'],
    ['a prompt that is not text', { prompt: 7 }, 'Prompt must be text'],
    [
      'a prompt of 10,001 characters',
      { prompt: 'x'.repeat(10_001) },
      'Prompt can have at most 10,000 characters',
    ],
    [
      'a prompt of 20,001 characters',
      { prompt: 'x'.repeat(20_001) },
      'Prompt can have at most 10,000 characters',
    ],
    ['NUL bytes', { prompt: 'a\u0000b' }, 'Prompt contains characters that cannot be stored'],
    [
      'a lone surrogate',
      { prompt: 'a\ud800b' },
      'Prompt contains characters that cannot be stored',
    ],
    [
      'a negative prompt of 301 characters',
      { prompt: 'a', negativePrompt: 'n'.repeat(301) },
      'Negative prompt can have at most 300 characters',
    ],
    [
      'an unknown aspect ratio',
      { prompt: 'a', aspectRatio: 'square' },
      'Aspect ratio must be portrait or landscape',
    ],
  ])('U-CONST-1: %s is refused with a message', async (_name, body, sentence) => {
    const response = await finished.post<Failure>('/api/videos/generate', body)
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ code: 'BAD_INPUT', error: sentence })
  })

  test.each([
    ['5,000 characters', 'long '.repeat(1000).trim()],
    ['emoji', 'A 🦊 and a 👩‍👩‍👧‍👦 dance 🎉'],
    ['right-to-left text', 'قارب ورقي في شارع ممطر'],
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['quotes and backslashes', `it's "quoted" \\ and {braces} %s $1`],
  ])('U-T2V-6: %s is stored and shown unchanged', async (_name, prompt) => {
    const user = await product.user()
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt })
    expect((await user.get<VideoView>(`/api/videos/${body.id}/status`)).body.prompt).toBe(prompt)
    const page = await (await user.send('GET', `/videos/${body.id}`)).text()
    expect(page).not.toContain('<script>alert(1)')
    expect(page).not.toContain('<img src=x')
  })

  test('U-CONST-1: a negative prompt of 300 characters is accepted', async () => {
    const user = await product.user()
    const response = await user.post('/api/videos/generate', {
      prompt: 'a',
      negativePrompt: 'n'.repeat(300),
    })
    expect(response.status).toBe(201)
  })
})

describe('quota', () => {
  test('U-QUOTA-4: thirty concurrent orders with twenty left: exactly twenty', async () => {
    const user = await product.user({ video_limit: 20 })
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        user.post<Failure>('/api/videos/generate', { prompt: `boat ${i}` }),
      ),
    )
    const refused = responses.filter(({ status }) => status === 429)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(refused).toHaveLength(10)
    expect(refused[0]?.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      error: 'You have 0 videos remaining today; 1 requested',
    })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const { body } = await user.get<{ videosGeneratedToday: number }>('/api/auth/me')
    expect(body.videosGeneratedToday).toBe(20)
  })

  test('an expired account gets a message and can still read', async () => {
    const user = await product.user({ expiry_date: new Date(Date.now() - 2 * 86_400_000) })
    const refused = await user.post<Failure>('/api/videos/generate', { prompt: 'a' })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      code: 'ACCOUNT_EXPIRED',
      error: 'Your plan has expired. Renew it to generate more videos.',
    })
    expect((await user.get('/api/videos')).status).toBe(200)
    expect((await user.send('GET', '/app')).status).toBe(200)
  })

  test('U-QUOTA-4: twenty concurrent requests with one key count once; the key with another prompt is refused', async () => {
    const user = await product.user({ video_limit: 5 })
    const send = (prompt: string) =>
      user.post<{ id?: string; code?: string }>(
        '/api/videos/generate',
        { prompt },
        { 'idempotency-key': 'k1' },
      )
    const responses = await Promise.all(Array.from({ length: 20 }, () => send('once')))
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    expect(responses.every(({ status }) => status === 201)).toBe(true)
    expect(
      (await user.get<{ videosGeneratedToday: number }>('/api/auth/me')).body.videosGeneratedToday,
    ).toBe(1)
    const other = await send('something else')
    expect(other.status).toBe(409)
    expect(other.body.code).toBe('CONFLICT')
  })

  test('U-EDIT-3: repeated edits with one key make one video', async () => {
    const user = await product.user({ video_limit: 5 })
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a boat' })
    const edit = () =>
      user.post<{ id: string }>(
        `/resources/videos/${body.id}/edit`,
        { prompt: 'a ship' },
        { 'idempotency-key': 'edited' },
      )
    const responses = await Promise.all(Array.from({ length: 10 }, edit))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1)
    const list = await user.get<VideoPage>('/api/videos?page=1&limit=10')
    expect(list.body.pagination.totalCount).toBe(2)
  })
})

const isoTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('reading', () => {
  test('U-API-13: the list has the documented fields, pages and order', async () => {
    const { body } = await finished.get<VideoPage>('/api/videos?page=1&limit=10000')
    expect(body.pagination).toEqual({ page: 1, limit: 10000, totalPages: 1, totalCount: 1 })
    const [video] = body.videos
    expect(video).toEqual({
      id: finished.videoId,
      prompt: 'A kite over a field',
      negativePrompt: null,
      name: null,
      aspectRatio: 'landscape',
      status: 'completed',
      model: 'veo-3.1-generate-001',
      videoUrl: `/media/${finished.videoId}.mp4`,
      thumbnailUrl: `/media/${finished.videoId}.jpg`,
      errorMessage: null,
      errorCode: null,
      regenerateCount: 0,
      regeneratedByAdmin: false,
      starred: false,
      batchId: null,
      createdAt: isoTime,
      completedAt: isoTime,
      user: { username: finished.username },
    })
  })

  test('U-API-13: 3,000 videos are complete in one response, to two concurrent clients', async () => {
    const user = await product.user()
    // Characters of two UTF-16 units, at odd and even offsets, which a response in pieces could
    // split.
    await product.db.query(
      `insert into videos (id, user_id, prompt, aspect_ratio, status, error_code, error_message, model, seed, created_at)
       select gen_random_uuid(), $1, repeat('x', i % 2) || repeat('🎬', 400) || i, 'portrait', 'error',
         'unknown', 'Lost', 'm', 1, now() - i * interval '1 s' from generate_series(1, 3000) as i`,
      [user.userId],
    )
    const wanted = Array.from({ length: 3000 }, (_, at) => {
      const i = at + 1
      return `${'x'.repeat(i % 2)}${'🎬'.repeat(400)}${i}`
    })
    const ask = () => user.get<VideoPage>('/api/videos?page=1&limit=10000')
    for (const { status, body } of await Promise.all([ask(), ask()])) {
      expect(status).toBe(200)
      expect(body.pagination.totalCount).toBe(3000)
      expect(body.videos.map(({ prompt }) => prompt)).toEqual(wanted)
    }
  })

  test('U-API-13: an unchanged list returns 304, a changed one does not', async () => {
    const user = await product.user()
    const first = await user.get('/api/videos?page=1&limit=10000')
    const etag = first.headers.get('etag') ?? ''
    const again = await user.get('/api/videos?page=1&limit=10000', { 'if-none-match': etag })
    expect(again.status).toBe(304)
    await user.post('/api/videos/generate', { prompt: 'a' })
    const changed = await user.get<VideoPage>('/api/videos?page=1&limit=10000', {
      'if-none-match': etag,
    })
    expect(changed.status).toBe(200)
    expect(changed.body.videos).toHaveLength(1)
  })

  test('U-API-14: pages do not overlap and start with the newest, of one moment with the last id', async () => {
    const user = await product.user({ video_limit: 50 })
    await product.db.query(
      `insert into videos (id, user_id, prompt, aspect_ratio, status, error_code, model, seed, created_at)
       select overlay(gen_random_uuid()::text placing lpad(to_hex(1000 - i), 8, '0') from 1 for 8)::uuid,
         $1, 'v' || i, 'portrait', 'error', 'unknown', 'm', 1, now() - (i / 4) * interval '1 s'
       from generate_series(1, 25) as i`,
      [user.userId],
    )
    const pages = await Promise.all(
      [1, 2, 3].map((page) => user.get<VideoPage>(`/api/videos?page=${page}&limit=10`)),
    )
    const prompts = pages.flatMap(({ body }) => body.videos.map(({ prompt }) => prompt))
    expect(prompts).toEqual(Array.from({ length: 25 }, (_, i) => `v${i + 1}`))
    expect(pages[0]?.body.pagination).toEqual({ page: 1, limit: 10, totalPages: 3, totalCount: 25 })
  })

  test('the change feed returns what changed after a version, and nothing without changes', async () => {
    const user = await product.user()
    type Feed = {
      version: number
      videos: VideoView[]
      deletedIds: string[]
      counts: Record<string, number>
      quota: { used: number }
    }
    const empty = await user.get<Feed>('/api/videos/changes')
    expect(empty.body).toMatchObject({ videos: [], deletedIds: [], counts: { total: 0 } })
    const etag = empty.headers.get('etag') ?? ''
    expect((await user.get('/api/videos/changes', { 'if-none-match': etag })).status).toBe(304)
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a' })
    const after = await user.get<Feed>(`/api/videos/changes?since=${empty.body.version}`)
    expect(after.body.videos.map(({ id }) => id)).toEqual([body.id])
    expect(after.body.quota.used).toBe(1)
    expect(after.body.version).toBeGreaterThan(empty.body.version)
  })

  test("U-ROLE-3: another user's video is not found", async () => {
    const stranger = await product.user()
    const { videoId } = finished
    for (const path of [
      `/api/videos/${videoId}/status`,
      `/api/videos/${videoId}/download`,
      `/media/${videoId}.mp4`,
      `/media/${videoId}.jpg`,
    ]) {
      const foreign = await stranger.get<Failure>(path)
      const nowhere = await stranger.get<Failure>(
        path.replace(videoId, '00000000-0000-4000-8000-000000000000'),
      )
      expect(foreign.status).toBe(404)
      const { requestId: _a, ...foreignBody } = foreign.body as Failure & { requestId: string }
      const { requestId: _b, ...nowhereBody } = nowhere.body as Failure & { requestId: string }
      expect(foreignBody).toEqual(nowhereBody)
    }
    const page = await stranger.send('GET', `/videos/${videoId}`)
    expect(page.status).toBe(404)
    expect(await page.text()).not.toContain('A kite over a field')
  })

  test('A-API-18: administrators see all users’ videos, and only their own on request', async () => {
    const admin = await product.user({ role: 'admin' })
    const all = await admin.get<VideoPage>('/api/videos?limit=10000')
    expect(all.body.videos.map(({ id }) => id)).toContain(finished.videoId)
    const mine = await admin.get<VideoPage>('/api/videos?limit=10000&scope=mine')
    expect(mine.body.videos).toEqual([])
    expect((await admin.get(`/api/videos/${finished.videoId}/status`)).status).toBe(200)
  })
})

describe('bytes', () => {
  const clip = () => `/media/${finished.videoId}.mp4`

  test('U-API-16: the download is the whole MP4 under its name', async () => {
    const response = await finished.send('GET', `/api/videos/${finished.videoId}/download`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="\d{4}_a-kite-over-a-field\.mp4"$/,
    )
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
    expect(bytes.length).toBe(Number(response.headers.get('content-length')))
  })

  test('ranges, suffixes and unsatisfiable ranges as in RFC 9110', async () => {
    const whole = Buffer.from(await (await finished.send('GET', clip())).arrayBuffer())
    const part = async (range: string) => {
      const response = await finished.send('GET', clip(), { headers: { range } })
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    const middle = await part('bytes=100-199')
    expect(middle).toEqual({
      status: 206,
      range: `bytes 100-199/${whole.length}`,
      bytes: whole.subarray(100, 200),
    })
    expect((await part('bytes=-10')).bytes).toEqual(whole.subarray(-10))
    expect((await part(`bytes=${whole.length - 5}-`)).bytes).toEqual(whole.subarray(-5))
    expect((await part(`bytes=${whole.length}-`)).status).toBe(416)
    const suffix = await part(`bytes=-${whole.length + 1}`)
    expect([200, 206]).toContain(suffix.status)
    expect(suffix.bytes).toEqual(whole)
  })

  test('a failed precondition is 412', async () => {
    for (const headers of [
      { 'if-match': '"x"', range: 'bytes=10-' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ]) {
      expect((await finished.send('GET', clip(), { headers })).status).toBe(412)
    }
  })

  test('a cached copy is confirmed by its ETag', async () => {
    const first = await finished.send('GET', clip())
    await first.arrayBuffer()
    const again = await finished.send('GET', clip(), {
      // Node's fetch would otherwise request a fresh copy.
      headers: { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
    expect(again.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('the poster is an image', async () => {
    const response = await finished.send('GET', `/media/${finished.videoId}.jpg`)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await response.arrayBuffer()).subarray(0, 2)).toEqual(
      Buffer.from([0xff, 0xd8]),
    )
  })

  test('the poster is sent as WebP, also a small one, and as JPEG where there is no WebP', async () => {
    const poster = async (kind: string) => {
      const response = await finished.send('GET', `/media/${finished.videoId}.${kind}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      const header = (name: string) => response.headers.get(name)
      return { type: header('content-type'), etag: header('etag'), bytes }
    }
    const [jpeg, webp] = [await poster('jpg'), await poster('webp')]
    const small = await poster('small.webp')
    expect([webp.type, small.type]).toEqual(['image/webp', 'image/webp'])
    // Of an extended WebP, less one: https://developers.google.com/speed/webp/docs/riff_container
    const width = ({ bytes }: { bytes: Buffer }) => bytes.readUIntLE(24, 3)
    expect(width(small)).toBeLessThan(width(webp))
    expect(new Set([jpeg, webp, small].map(({ etag }) => etag)).size).toBe(3)
    const { rows } = await product.db.query<{ file: string }>(
      `select replace(poster_key, '.jpg', '.webp') as file from videos where id = $1`,
      [finished.videoId],
    )
    await fs.rm(path.join(product.dataDir, 'videos', rows[0]!.file))
    expect(await poster('webp')).toEqual(jpeg)
  })

  test('U-API-16: an unfinished video has no download', async () => {
    const user = await product.user()
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'endless' })
    const response = await user.get<Failure>(`/api/videos/${body.id}/download`)
    expect(response.status).toBe(409)
    expect(response.body.error).toBe('This video is not finished yet')
  })

  test('no path leads out of the storage, or past the videos of its user', async () => {
    const { rows } = await product.db.query<{ key: string }>(
      'select file_key as key from videos where id = $1',
      [finished.videoId],
    )
    const key = rows[0]?.key ?? ''
    const folder = path.join(product.dataDir, 'videos')
    const secret = 'nobody may read this'
    await fs.mkdir(path.join(folder, 'incoming'), { recursive: true })
    for (const name of ['secret.mp4', 'videos/x.mp4', 'videos/.part', 'videos/incoming/x.mp4'])
      await fs.writeFile(path.join(product.dataDir, name), secret)
    const whole = await fs.readFile(path.join(folder, key))
    expect((await sendRaw(finished, `/media/${finished.videoId}.mp4`)).body).toEqual(whole)
    const stranger = await product.user()
    for (const target of ['../secret.mp4', 'x.mp4', '.part', 'incoming/x.mp4', key, `./${key}`])
      for (const spelling of spellingsOf(target))
        for (const address of [`/media/${spelling}`, `/api/videos/${spelling}/download`]) {
          const { status, body } = await sendRaw(stranger, address)
          expect([404, 400], address).toContain(status)
          expect(body.equals(whole) || body.includes(secret), address).toBe(false)
        }
  })
})

describe('the create screen', () => {
  test('U-T2V-10: 720p of model 3.1, as the page states', async () => {
    const order = simulator.orders().find(({ prompt }) => prompt === 'A kite over a field')
    expect(order).toMatchObject({ model: 'veo-3.1-generate-001', width: 1280, height: 720 })
    const page = await (await finished.send('GET', `/app?watch=${finished.videoId}`)).text()
    expect(page.replaceAll('<!-- -->', '')).toContain('Model 3.1, 720p, 16:9')
  })

  test('U-STAT-4: the player for a finished video, a placeholder before', async () => {
    const page = async (user: typeof finished, path: string) => {
      const html = await (await user.send('GET', path)).text()
      return html.slice(html.indexOf('id="status"'), html.indexOf('Your Videos'))
    }
    const done = await page(finished, `/app?watch=${finished.videoId}`)
    expect(done).toContain(`src="/media/${finished.videoId}.mp4"`)
    expect(done).not.toContain('Your video will appear here')
    const empty = await page(finished, '/app')
    expect(empty).toContain('Your video will appear here')
    expect(empty).not.toContain('<video')
  })
})

describe('batches', () => {
  const enterprise = { video_limit: 20, speed_limit: 10, video_generation_speed: 30 }
  type Page = { send: (typeof finished)['send'] }
  const statusOf = async (user: Page, batchId: string) => {
    const html = await (await user.send('GET', `/app?tab=bulk&batch=${batchId}`)).text()
    return html.slice(html.indexOf('id="status"')).replace(/<[^>]+>/g, '')
  }
  const start = (user: Client, prompts: string[]) =>
    user.post<{ batchId: string }>('/api/videos/bulk-generate', { prompts })

  test('U-BATCH-3, U-STAT-2: the figures change as videos end: four made and one refused of ten', async () => {
    const user = await product.user(enterprise)
    const prompts = [
      ...Array.from({ length: 4 }, (_, i) => `boat ${i}`),
      'refused',
      ...Array.from({ length: 5 }, (_, i) => `endless ${i}`),
    ]
    const { body } = await start(user, prompts)
    const seen = new Set<number>()
    await until('four completed videos and one failed', async () => {
      const batch = await batchOf(user)
      expect(batch).toMatchObject({ id: body.batchId, status: 'processing', totalVideos: 10 })
      const { completedVideos = 0, failedVideos = 0 } = batch ?? {}
      seen.add(completedVideos + failedVideos)
      return completedVideos === 4 && failedVideos === 1
    })
    expect(Math.max(...seen)).toBe(5)
    const text = await statusOf(user, body.batchId)
    expect(text).toContain('Processing Bulk Generation...')
    expect(text).toContain('5 of 10 done: 4 ready, 1 failed')
  })

  test('U-BATCH-4, U-STAT-3: the batch ends with its last video, made or not', async () => {
    const user = await product.user(enterprise)
    const { body } = await start(user, ['boat a', 'refused', 'boat b'])
    await until('the end of the batch', async () => (await batchOf(user))?.status !== 'processing')
    expect(await batchOf(user)).toMatchObject({
      status: 'completed',
      totalVideos: 3,
      completedVideos: 2,
      failedVideos: 1,
      nextRoundAt: null,
    })
    const text = await statusOf(user, body.batchId)
    expect(text).toContain('Bulk Generation Complete!')
    expect(text).toContain('3 of 3')
    expect(text).not.toContain('Stop All Process')
  })

  async function batchOf(user: Client) {
    const [batch] = (await user.get<BatchView[]>('/api/batches')).body
    return batch
  }
})

describe('turns', () => {
  test('as many singles of a user go out at once as the plan has per round, and the rest follow by themselves', async () => {
    const user = await product.user({ video_limit: 10, speed_limit: 2 })
    await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        user.post('/api/videos/generate', { prompt: `turn ${i}` }),
      ),
    )
    const { rows } = await product.db.query<{ count: number }>(
      `select count(*)::int as count from line_entries where user_id = $1 and state = 'gated'`,
      [user.userId],
    )
    expect(rows[0]?.count).toBe(2)
    await until('all four videos', async () => {
      const { body } = await user.get<VideoPage>('/api/videos')
      return body.videos.filter(({ status }) => status === 'completed').length === 4
    })
  })
})
