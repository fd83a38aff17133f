import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import http from 'node:http'
import { afterEach, describe, expect } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import { addVideos } from '../support/ended-videos'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { makeVideos } from '../support/videos'
import { until } from '../support/wait'
import { readZipFile } from '../support/zip'
import { slowTest, test } from '../support/slow'

const product = useInstallation()
type User = TestUser

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Counts = { total: number; completed: number; inProgress: number; failed: number }
type Feed = {
  version: number
  videos: VideoView[]
  deletedIds: string[]
  counts: Counts & { portrait: Counts; landscape: Counts }
  quota: { used: number; limit: number }
}
type Failure = { error: string; code: string }

const numberedPrompts = (count: number) => Array.from({ length: count }, (_, i) => `prompt ${i}`)

const changes = (user: User, since: number) => user.get<Feed>(`/api/videos/changes?since=${since}`)

describe('the change feed', () => {
  test('reports new, changed and deleted videos, counts by ratio and the quota', async () => {
    const user = await product.user({ video_limit: 10 })
    const start = (await user.get<Feed>('/api/videos/changes')).body.version
    const [failed, done] = await makeVideos(product, user.userId, [
      { status: 'error' },
      { aspect_ratio: 'landscape' },
    ])
    const added = (await changes(user, start)).body
    expect(added.videos.map(({ id }) => id)).toEqual([done!.id, failed!.id])
    expect(added.counts).toMatchObject({
      total: 2,
      completed: 1,
      failed: 1,
      inProgress: 0,
      portrait: { total: 1, failed: 1 },
      landscape: { total: 1, completed: 1 },
    })
    await user.post(`/api/videos/${failed!.id}/retry`)
    const retried = (await changes(user, added.version)).body
    expect(retried.videos).toMatchObject([
      { id: failed!.id, status: 'pending', regenerateCount: 1 },
    ])
    expect(retried.quota).toMatchObject({ used: 1, limit: 10 })
    await user.call('DELETE', `/api/videos/${done!.id}`)
    await user.call('DELETE', `/api/videos/${failed!.id}`)
    const deleted = (await changes(user, retried.version)).body
    expect(deleted.videos).toEqual([])
    expect(new Set(deleted.deletedIds)).toEqual(new Set([done!.id, failed!.id]))
    expect(deleted.counts.total).toBe(0)
    expect(deleted.quota.used).toBe(0)
  })

  test('no change is 304, whichever version is sent; a changed limit is a change', async () => {
    const user = await product.user({ video_limit: 10 })
    await makeVideos(product, user.userId, [{}])
    const { headers, body } = await user.get<Feed>('/api/videos/changes')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await user.get('/api/videos/changes?since=0', known)).status).toBe(304)
    expect((await user.get(`/api/videos/changes?since=${body.version}`, known)).status).toBe(304)
    await product.db.query('update users set video_limit = 11 where id = $1', [user.userId])
    const response = await user.get<Feed>(`/api/videos/changes?since=${body.version}`, known)
    expect(response).toMatchObject({ status: 200, body: { videos: [], quota: { limit: 11 } } })
  })

  test('without a version it returns the first page; after a long absence it continues in steps', async () => {
    const user = await product.user()
    const insert = `insert into videos (id, user_id, prompt, aspect_ratio, status, error_code, model, seed, created_at)
      values (gen_random_uuid(), $1, $2, 'portrait', 'error', 'unknown', 'm', 1, now())`
    for (let i = 0; i < 520; i++) await product.db.query(insert, [user.userId, `v${i}`])
    const first = await user.get<Feed>('/api/videos/changes')
    expect(first.body.videos).toHaveLength(20)
    const step = await changes(user, 0)
    expect(step.body.videos).toHaveLength(500)
    expect(step.body.version).toBeLessThan(first.body.version)
    // The tag of a partial response must not confirm the whole.
    const known = { 'if-none-match': step.headers.get('etag') ?? '' }
    const rest = await user.get<Feed>(`/api/videos/changes?since=${step.body.version}`, known)
    expect(rest.body.videos).toHaveLength(20)
    expect(rest.body.version).toBe(first.body.version)
    for (const since of ['x', '', ' ', '0x10', '1e3', '-1', '1.5'])
      expect(
        (await user.get<Failure>(`/api/videos/changes?since=${encodeURIComponent(since)}`)).status,
        `A15: ${since}`,
      ).toBe(400)
  })

  test('includes what the create screen follows, and a whole page, if requested', async () => {
    const user = await product.user({ video_limit: 50 })
    await makeVideos(
      product,
      user.userId,
      Array.from({ length: 25 }, () => ({ aspect_ratio: 'landscape' as const })),
    )
    type Own = { prompt: string; status: string }
    type Page = { videos: Own[]; pagination: object; version: number; counts: Counts }
    type Work = { watched: Own | null; single: Own | null; progress: unknown }
    type Answer = Feed & { work?: Work; gallery?: Page; isShort: boolean }
    const single = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'mine' })
    const batch = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
      prompts: ['b'],
    })
    const ask = async (query: string) =>
      (await user.get<Answer>(`/api/videos/changes?since=0&${query}`)).body
    const plain = await ask('')
    expect([plain.work, plain.gallery, plain.isShort]).toEqual([undefined, undefined, false])
    const followed = await ask(`screen=create&watch=${single.body.id}&batch=${batch.body.batchId}`)
    expect(followed.work).toMatchObject({
      watched: { prompt: 'mine', status: 'pending' },
      single: { prompt: 'mine' },
      progress: { batch: { id: batch.body.batchId, totalVideos: 1 }, sent: 0 },
    })
    const whole = await ask('list=whole&page=2&aspectRatio=landscape&limit=20')
    expect(whole.gallery?.videos).toHaveLength(5)
    expect(whole.gallery).toMatchObject({
      version: whole.version,
      counts: whole.counts,
      pagination: { page: 2, totalCount: 25 },
    })
    const stranger = await product.user()
    const foreign = await stranger.get<Answer>(
      `/api/videos/changes?screen=create&watch=${single.body.id}&batch=${batch.body.batchId}`,
    )
    expect(foreign.body.work).toMatchObject({ watched: null, single: null, progress: null })
    await user.post(`/api/batches/${batch.body.batchId}/cancel`)
  })

  test('every page has exactly its videos, also those in the second half, which are read from the other end', async () => {
    const user = await product.user()
    const ids = await addVideos(product, { userId: user.userId, status: 'error', n: 95 })
    for (const page of [1, 2, 3, 4, 5]) {
      const address = `/api/videos/changes?since=0&list=whole&page=${page}&limit=20`
      const { body } = await user.get<{ gallery: { videos: { id: string }[] } }>(address)
      const shown = body.gallery.videos.map(({ id }) => id)
      expect(shown, `page ${page}`).toEqual(ids.slice(20 * (page - 1), 20 * page))
    }
  })

  test('a response is consistent, whatever changes concurrently', async () => {
    const user = await product.user({ video_limit: 1000, speed_limit: 1000 })
    await user.post('/api/videos/bulk-generate', { prompts: numberedPrompts(60) })
    type Answer = Feed & { work: { progress: { batch: { failedVideos: number } } } }
    const state = { isOver: false }
    const end = async () => {
      const { rows } = await product.db.query<{ id: string }>(
        'select id from videos where user_id = $1',
        [user.userId],
      )
      for (const { id } of rows) await user.call('DELETE', `/api/videos/${id}`)
      state.isOver = true
    }
    const ending = end()
    const seen = new Set<number>()
    while (!state.isOver) {
      const { body } = await user.get<Answer>('/api/videos/changes?since=0&screen=create')
      const { counts, videos, deletedIds, quota, work } = body
      seen.add(counts.total)
      expect(videos).toHaveLength(counts.total)
      expect(deletedIds).toHaveLength(60 - counts.total)
      expect(quota.used).toBe(counts.total)
      if (counts.total > 0) expect(work.progress.batch.failedVideos).toBe(60 - counts.total)
    }
    await ending
    expect(seen.size).toBeGreaterThan(5)
  })

  test('U-ROLE-3: a user’s changes are visible to no other user', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const { headers, body } = await user.get<Feed>('/api/videos/changes')
    await makeVideos(product, other.userId, [{}, {}])
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await user.get(`/api/videos/changes?since=${body.version}`, known)).status).toBe(304)
    expect((await changes(user, 0)).body).toMatchObject({ videos: [], counts: { total: 0 } })
    // Each user's versions begin at 1, so only now does this user's version pass the other's.
    const own = await makeVideos(product, user.userId, [{}, {}, {}])
    const told = (await changes(user, 0)).body.videos.map(({ id }) => id)
    expect(told.toSorted()).toEqual(own.map(({ id }) => id).toSorted())
  })
})

describe('the archive', () => {
  test.each(['/api/videos/archive', '/resources/prompts'])(
    '%s: after the session has ended its link leads through signing in back to the page',
    async (file) => {
      const address = `${file}?choice=all&scope=mine&from=${encodeURIComponent('/app?status=error')}`
      const ask = (accept: string) =>
        product.client().send('GET', address, { headers: { accept }, redirect: 'manual' })
      const followed = await ask('text/html,application/xhtml+xml;q=0.9')
      expect(followed.status).toBe(303)
      expect(followed.headers.get('location')).toBe('/login?redirectTo=%2Fapp%3Fstatus%3Derror')
      expect((await ask('application/json')).status).toBe(401)
    },
  )

  test('contains the finished clips in the order of their prompts, and why others are missing', async () => {
    const user = await product.user()
    const [boat, , lost, kite] = await makeVideos(product, user.userId, [
      { prompt: 'A paper boat, drifting!' },
      { prompt: '=1+1', status: 'error' },
      { prompt: 'Lost' },
      { prompt: 'قارب ورقي', file_crc32: null },
    ])
    await fs.rm(lost!.file)
    const response = await user.send('GET', '/api/videos/archive')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="videos-\d{4}-\d\d-\d\d\.zip"$/,
    )
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes).toHaveLength(Number(response.headers.get('content-length')))
    const files = await readZipFile(bytes)
    expect([...files.keys()]).toEqual([
      'prompts.csv',
      'posting-list.csv',
      '0001_a-paper-boat-drifting.mp4',
      '0004_قارب-ورقي.mp4',
    ])
    expect(files.get('0001_a-paper-boat-drifting.mp4')).toEqual(boat!.bytes)
    expect(files.get('0004_قارب-ورقي.mp4')).toEqual(kite!.bytes)
    const list = files.get('prompts.csv')?.toString() ?? ''
    expect(list).toContain("2,,,'=1+1")
    expect(list).toContain('Not included: The video service lost this video.')
    expect(list).toContain('Not included: the file is missing')
    const { rows } = await product.db.query('select file_crc32 from videos where id = $1', [
      kite!.id,
    ])
    expect(rows[0]).not.toEqual({ file_crc32: null })
  })

  test('U-POST-1: a posting list names the files of the ZIP, in it and by itself, and runs no formula', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const videos = await makeVideos(product, user.userId, [
      { prompt: '=cmd() #boat' },
      { prompt: 'A lake,\n"wide" #sea #Sea' },
      { status: 'error' },
    ])
    await product.db.query(
      `update videos set completed_at = '2026-11-29T20:30:00Z' where user_id = $1`,
      [user.userId],
    )
    await product.db.query(`update videos set clip_name = 'Evening' where id = $1`, [videos[1]!.id])
    const archive = await user.send('GET', '/api/videos/archive')
    const files = await readZipFile(Buffer.from(await archive.arrayBuffer()))
    const list = String(files.get('posting-list.csv'))
    expect(list).toBe(
      `\uFEFFfile,title,text,tags,time
0001_cmd-boat.mp4,'=cmd() #boat,'=cmd() #boat,#boat,2026-11-29T20:30:00+00:00
0002_evening.mp4,Evening,"A lake,\n""wide"" #sea #Sea",#sea,2026-11-29T20:30:00+00:00
`,
    )
    for (const row of [...files.keys()].slice(2)) expect(list).toContain(`${row},`)
    const ids = videos.map(({ id }) => id).join(',')
    const posts = '/resources/posting-list?choice=selected&ids='
    const alone = await user.send('GET', posts + ids)
    expect(alone.headers.get('content-disposition')).toMatch(/"posting-list-\d{4}-\d\d-\d\d\.csv"$/)
    expect(Buffer.from(await alone.arrayBuffer())).toEqual(files.get('posting-list.csv'))
    expect((await other.send('GET', posts + ids)).status).toBe(404)
    expect((await user.send('GET', posts + videos[2]!.id)).status).toBe(404)
  })

  test('resumes an interrupted download byte for byte, and restarts if the archive has changed', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [{}, {}, {}])
    const whole = await user.send('GET', '/api/videos/archive')
    const etag = whole.headers.get('etag') ?? ''
    const bytes = Buffer.from(await whole.arrayBuffer())
    for (const [from, to] of [
      [0, 9],
      [50, 300],
      [bytes.length - 30, bytes.length - 1],
    ] as const) {
      const part = await user.send('GET', '/api/videos/archive', {
        headers: { range: `bytes=${from}-${to}`, 'if-range': etag },
      })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to}/${bytes.length}`)
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(from, to + 1))
    }
    const beyond = { headers: { range: `bytes=${bytes.length}-` } }
    expect((await user.send('GET', '/api/videos/archive', beyond)).status).toBe(416)
    await makeVideos(product, user.userId, [{}])
    const changed = await user.send('GET', '/api/videos/archive', {
      headers: { range: 'bytes=50-', 'if-range': etag },
    })
    expect(changed.status).toBe(200)
    expect((await changed.arrayBuffer()).byteLength).toBeGreaterThan(bytes.length)
  })

  test('contains the selected videos and no other user’s; an archive without clips is reported', async () => {
    const [user, stranger] = [await product.user(), await product.user()]
    const [one, two] = await makeVideos(product, user.userId, [
      { aspect_ratio: 'portrait' },
      { aspect_ratio: 'landscape' },
    ])
    const names = async (query: string) => {
      const response = await user.send('GET', `/api/videos/archive?${query}`)
      return (await readZipFile(Buffer.from(await response.arrayBuffer()))).size - 2
    }
    expect(await names(`ids=${one!.id},${two!.id}`)).toBe(2)
    expect(await names('aspectRatio=landscape')).toBe(1)
    const foreign = await stranger.get<Failure>(`/api/videos/archive?ids=${one!.id}`)
    expect(foreign).toMatchObject({ status: 404, body: { error: 'No completed videos found' } })
    expect((await user.get<Failure>('/api/videos/archive?choice=selected')).body.error).toBe(
      'No videos selected',
    )
    const back = await stranger.send('GET', '/api/videos/archive?choice=all&from=/dashboard')
    expect(back.headers.get('location')).toBe('/dashboard')
    expect(await (await stranger.send('GET', '/dashboard')).text()).toContain(
      'No videos to download',
    )
  })

  test('K11: the archive reads a JSON body, and a body that names no videos never means all', async () => {
    const user = await product.user()
    const [one] = await makeVideos(product, user.userId, [{ prompt: 'One' }, { prompt: 'Two' }])
    const post = (path: string, body: string, type: string) =>
      user.send('POST', path, {
        body,
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      })
    const path = '/api/videos/archive'
    const chosen = await post(path, JSON.stringify({ ids: [one!.id] }), 'application/json')
    expect(chosen.status).toBe(200)
    expect((await chosen.arrayBuffer()).byteLength).toBe(
      (await (await user.send('GET', `${path}?ids=${one!.id}`)).arrayBuffer()).byteLength,
    )
    const refused: [string, string, number][] = [
      ['{"ids": "a', 'application/json', 400],
      ['{"ids": [{"id": 1}]}', 'application/json', 400],
      ['[]', 'application/json', 400],
      [JSON.stringify({ videoIds: [one!.id] }), 'application/json', 400],
      [`videoIds=${one!.id}`, 'application/x-www-form-urlencoded', 400],
      [one!.id, 'text/plain', 415],
    ]
    for (const [body, type, status] of refused)
      expect((await post(path, body, type)).status).toBe(status)
    // A page's form is no JSON call.
    const prompts = '/resources/prompts'
    expect((await post(prompts, '{"ids": []}', 'application/json')).status).toBe(415)
    expect(
      (await post(prompts, `videoIds=${one!.id}`, 'application/x-www-form-urlencoded')).status,
    ).toBe(400)
  })

  test('K11: a known field beside an unknown one never means all, in a body or in an address', async () => {
    const user = await product.user()
    const [one] = await makeVideos(product, user.userId, [{ prompt: 'One' }, { prompt: 'Two' }])
    const id = one!.id
    const form = 'application/x-www-form-urlencoded'
    const headers = { 'sec-fetch-site': 'same-origin' }
    for (const [body, type] of [
      [JSON.stringify({ scope: 'mine', videoIds: [id] }), 'application/json'],
      [`scope=mine&videoIds=${id}`, form],
      [`choice=all&id=${id}`, form],
    ] as const) {
      const refused = await user.send('POST', '/api/videos/archive', {
        body,
        headers: { ...headers, 'content-type': type },
      })
      const { error } = (await refused.json()) as Failure
      expect(refused.status).toBe(400)
      expect(error).toMatch(/^(?:videoIds|id) is not known here: name the videos in ids$/)
    }
    for (const path of ['/api/videos/archive', '/resources/prompts'])
      for (const query of [`videoIds=${id}`, `status=completed&videoIds=${id}`, `id=${id}`])
        expect((await user.send('GET', `${path}?${query}`)).status, `${path}?${query}`).toBe(400)
    expect((await user.send('GET', `/api/videos/archive?ids=${id}`)).status).toBe(200)
  })

  test('K11: a call that acts on all refuses a body that names some', async () => {
    const [user, admin] = [
      await product.user(),
      await product.user({ role: 'admin', expiry_date: null }),
    ]
    const [one] = await addVideos(product, { userId: user.userId, status: 'error', n: 2 })
    const calls: [User, string, string][] = [
      [user, 'DELETE', '/api/videos/delete-by-status?status=error'],
      [user, 'POST', '/api/videos/retry-all-failed'],
      [admin, 'POST', '/api/admin/videos/regenerate-all'],
      [admin, 'DELETE', '/api/admin/videos/delete-by-status?status=error'],
      [admin, 'POST', '/api/admin/users/reset-all-counters'],
      [admin, 'DELETE', '/api/admin/users/delete-all'],
      [admin, 'DELETE', '/api/admin/extra-tokens/delete-all'],
    ]
    for (const [who, method, path] of calls)
      expect((await who.call(method, path, { ids: [one] })).status, path).toBe(400)
    const { rows } = await product.db.query(
      `select 1 from videos where user_id = $1 and status = 'error' and deleted_at is null`,
      [user.userId],
    )
    expect(rows).toHaveLength(2)
  })

  test('a selection of any number is posted, and answered with one ZIP of exactly its clips', async () => {
    const [user, stranger] = [await product.user(), await product.user()]
    const made = await makeVideos(product, user.userId, [
      { prompt: 'First' },
      { prompt: 'Second', status: 'error' },
      { prompt: 'Third' },
      { prompt: 'Fourth' },
    ])
    const [first, , third, fourth] = made.map(({ id }) => id)
    const post = (of: User, path: string, fields: [string, string | undefined][]) => {
      const body = new URLSearchParams(fields.map(([name, value]) => [name, value ?? '']))
      const headers = { 'sec-fetch-site': 'same-origin' }
      return of.send('POST', path, { body, headers, redirect: 'manual' })
    }
    const names = async (response: Response) => {
      const files = await readZipFile(Buffer.from(await response.arrayBuffer()))
      return [...files.keys()].slice(2)
    }
    const selected: [string, string][] = [
      ['choice', 'selected'],
      ['scope', 'mine'],
    ]
    // 500 ids have no room in an address.
    const ids = [third, ...Array.from({ length: 500 }, () => randomUUID()), first]
    const some = selected.concat(ids.map((id) => ['ids', id ?? '']))
    const zip = await post(user, '/api/videos/archive', some)
    expect(zip.headers.get('content-disposition')).toMatch(/filename="videos-.*\.zip"/)
    expect(await names(zip)).toEqual(['0001_first.mp4', '0003_third.mp4'])
    const prompts = await post(user, '/resources/prompts', some)
    expect(await prompts.text()).toBe('1. First\n\n2. Third\n')
    // All that matched at a moment, without one: what came later, and what others have, is not in it.
    const until = new Date().toISOString()
    await addVideos(product, {
      userId: user.userId,
      status: 'completed',
      createdAt: new Date(Date.now() + 60_000),
      withFiles: true,
    })
    const all: [string, string][] = [...selected, ['status', 'completed'], ['all', until]]
    const allButOne = await post(user, '/api/videos/archive', [...all, ['except', fourth ?? '']])
    expect(await names(allButOne)).toEqual(['0001_first.mp4', '0003_third.mp4'])
    const back = '/api/videos/archive?from=%2Fdashboard%3Fpage%3D2'
    for (const [of, fields, shown] of [
      [user, selected, 'No videos selected'],
      [user, [...all, ['except', 'x'], ['search', 'none']], 'No videos to download'],
      [stranger, some, 'No videos to download'],
    ] as const) {
      const refused = await post(
        of,
        back,
        fields.map(([name, value]) => [name, value]),
      )
      expect([refused.status, refused.headers.get('location')]).toEqual([303, '/dashboard?page=2'])
      expect(await (await of.send('GET', '/dashboard')).text()).toContain(shown)
    }
    expect((await post(user, '/api/videos/archive', [...selected, ['all', 'x']])).status).toBe(400)
    const page = { body: new URLSearchParams(), redirect: 'manual' } as const
    const accept = {
      accept: 'text/html,application/xhtml+xml;q=0.9',
      'sec-fetch-site': 'same-origin',
    }
    const out = await product.client().send('POST', back, { ...page, headers: accept })
    expect(out.headers.get('location')).toBe('/login?redirectTo=%2Fdashboard%3Fpage%3D2')
  })

  slowTest('a hundred clients that disconnect halfway leave no file open', async () => {
    const user = await product.user()
    const [video] = await makeVideos(product, user.userId, [{}])
    // More than the buffers of a connection hold, so that a clip that nobody reads stays open.
    const bytes = 128 * 1024 * 1024
    await fs.truncate(video!.file, bytes)
    await product.db.query('update videos set file_bytes = $1 where id = $2', [bytes, video!.id])
    const paths = ['/api/videos/archive', `/media/${video!.id}.mp4`]
    const slow = await Promise.all(paths.map((path) => beginReading(user, path)))
    // An archive sends its first entry, the list of its prompts, before it opens a clip.
    if (process.platform === 'linux')
      await until('both clips to be open', async () => (await openClips()).length === 2)
    for (const reader of slow) reader.destroy()
    for (let round = 0; round < 2; round++) {
      const readers = Array.from({ length: 50 }, (_, i) => beginReading(user, paths[i % 2]!))
      for (const reader of await Promise.all(readers)) reader.destroy()
    }
    await until('every file to be closed', async () => (await openClips()).length === 0)
    const whole = await user.send('GET', `/media/${video!.id}.mp4`)
    expect((await whole.arrayBuffer()).byteLength).toBe(bytes)
  })
})

/** Returns a response of which only the first bytes have been read. */
function beginReading(user: User, path: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: user.cookieHeader }
    http
      .get(new URL(path, product.url), { headers, agent: false }, (response) => {
        response.once('readable', () => resolve(response))
      })
      .once('error', reject)
  })
}

/** Returns the clips that the web server has open, where the system can tell. */
async function openClips(): Promise<string[]> {
  const folder = `/proc/${product.web.child.pid}/fd`
  const names = await fs.readdir(folder).catch(() => [])
  const targets = await Promise.all(
    names.map((name) => fs.readlink(`${folder}/${name}`).catch(() => '')),
  )
  return targets.filter((target) => target.startsWith(product.dataDir))
}

describe('prompts and deletions', () => {
  test('U-EXP-2, U-EXP-3: all prompts as one numbered text, named by the day', async () => {
    const user = await product.user()
    const [one] = await makeVideos(product, user.userId, [
      { prompt: 'First' },
      { prompt: 'Second', status: 'error' },
    ])
    const response = await user.send('GET', '/resources/prompts?choice=all')
    expect(response.headers.get('content-disposition')).toMatch(
      /filename="prompts-\d{4}-\d\d-\d\d\.txt"/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe('1. First\n\n2. Second\n')
    const chosen = await user.send('GET', `/resources/prompts?choice=selected&ids=${one!.id}`)
    expect(await chosen.text()).toBe('1. First\n')
    const none = await user.get<Failure>('/resources/prompts?choice=selected')
    expect(none.body.error).toBe('No videos selected')
  })

  test('U-EXP-3, A-VID-10: a file of any number of prompts has each once, in order', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const admin = await product.user({ role: 'admin' })
    const createdAt = new Date('2020-01-01T12:00:00Z')
    const all = { status: 'error', createdAt } as const
    await addVideos(product, { ...all, userId: user.userId, n: 2_300, prompt: 'Mine' })
    // Other videos have the same timestamps, and one is older: rows with equal times must not be
    // lost between two pages.
    const others = { ...all, userId: other.userId, prompt: 'Not mine' }
    await addVideos(product, { ...others, n: 2_300 })
    await addVideos(product, { ...others, createdAt: new Date('2019-01-01T12:00:00Z') })
    const mine = await (await user.send('GET', '/resources/prompts?choice=all')).text()
    expect(mine.split('\n\n').map((line) => line.trim())).toEqual(
      Array.from({ length: 2_300 }, (_, i) => `${i + 1}. Mine`),
    )
    const everybodys = await admin.send('GET', '/resources/prompts?choice=all&scope=all')
    const lines = (await everybodys.text()).split('\n\n')
    const of = (prompt: string, { username }: { username: string }) =>
      lines.filter((line) => line.trim().endsWith(`. ${prompt}\n(${username})`))
    expect(of('Mine', user)).toHaveLength(2_300)
    expect(of('Not mine', other)).toHaveLength(2_301)
    const deleted = '/api/videos/delete-by-status?status=error'
    await Promise.all([user.call('DELETE', deleted), other.call('DELETE', deleted)])
  })

  test('U-DEL-2, U-GAL-3: without scripts all that match are selected by a link and deleted, but none that came later', async () => {
    const user = await product.user()
    await addVideos(product, { userId: user.userId, status: 'error', n: 25, prompt: 'Old' })
    await makeVideos(product, user.userId, [{ prompt: 'Kept' }])
    const html = async (path: string) => (await user.send('GET', path)).text()
    const page = await html('/dashboard?status=error&select=page')
    expect(textOf(page)).toContain('20 selected')
    const link = /href="([^"]+)"[^>]*>Select all 25 that match/.exec(page)?.[1] ?? ''
    const whole = await html(link.replaceAll('&amp;', '&'))
    expect(textOf(whole)).toContain('25 selected')
    const until = /name="all" value="([^"]+)"/.exec(whole)?.[1] ?? ''
    await addVideos(product, {
      userId: user.userId,
      status: 'error',
      prompt: 'New',
      createdAt: new Date(Date.now() + 60_000),
    })
    const asked = new URLSearchParams({ status: 'error', all: until, dialog: 'delete-selected' })
    const confirm = await html(`/dashboard?${asked}`)
    expect(textOf(confirm)).toMatch(/Delete 2[56] videos\?/)
    const form = /<form[^>]*>(?:(?!<\/form>)[\s\S])*value="delete-selected"[\s\S]*?<\/form>/.exec(
      confirm.slice(confirm.indexOf('role="alertdialog"')),
    )?.[0]
    const fields = [...(form ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)]
    const sent = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
    const done = await user.submit(`/dashboard?${asked}`, sent)
    expect(done.status).toBeLessThan(400)
    const left = (await user.get<{ videos: VideoView[] }>('/api/videos')).body.videos
    expect(left.map(({ prompt }) => prompt)).toEqual(['New', 'Kept'])
  })

  test('U-API-21: delete-by-status removes only one’s own videos of that status and ratio', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const list = [
      { status: 'error', aspect_ratio: 'portrait' },
      { status: 'error', aspect_ratio: 'landscape' },
      { status: 'completed' },
    ] as const
    await makeVideos(product, user.userId, list)
    await makeVideos(product, other.userId, list)
    const path = '/api/videos/delete-by-status?status=error&aspectRatio=landscape'
    const { body } = await user.call<{ count: number; message: string }>('DELETE', path)
    expect(body).toEqual({ count: 1, message: '1 video deleted.' })
    expect((await changes(user, 0)).body.counts).toMatchObject({ total: 2, failed: 1 })
    expect((await changes(other, 0)).body.counts).toMatchObject({ total: 3, failed: 2 })
  })

  test('U-API-13: 3,000 videos in one response, and 304 if unchanged', async () => {
    const user = await product.user()
    await product.db.query(
      `insert into videos (id, user_id, prompt, aspect_ratio, status, error_code, model, seed, created_at)
       select gen_random_uuid(), $1, 'v' || i, 'portrait', 'error', 'unknown', 'm', 1, now()
       from generate_series(1, 3000) as i`,
      [user.userId],
    )
    const list = await user.get<{ videos: VideoView[] }>('/api/videos?page=1&limit=10000')
    expect(list.body.videos).toHaveLength(3000)
    const known = { 'if-none-match': list.headers.get('etag') ?? '' }
    expect((await user.get('/api/videos?page=1&limit=10000', known)).status).toBe(304)
  })
})
