import { describe, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { BatchProgress } from '../../app/domain/batches/types'
import type { GalleryPage } from '../../app/domain/videos/types'
import { countersOf, textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { makeVideos, type VideoPage } from '../support/videos'

// The tests write statuses directly into the rows, so the engine's invariants do not hold here.
const product = useInstallation()
type User = TestUser
type Feed = { work: { progress: BatchProgress | null }; gallery: GalleryPage }

async function startBatch(user: User, count: number): Promise<string> {
  const prompts = Array.from({ length: count }, (_, i) => `prompt ${i + 1}`)
  const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts })
  return body.batchId
}

const setStatus = (batchId: string, place: number, status: string) =>
  product.db.query(
    `update videos set status = $3::video_status, awaits_round = $3 = 'pending',
       error_code = case when $3 = 'error' then 'unknown' end,
       file_key = done.key, file_bytes = done.bytes, file_sha256 = done.hash, completed_at = done.at
     from videos as own, lateral (select case when $3 = 'completed' then right(own.id::text, 2) || '/' || own.id || '.mp4' end as key,
       case when $3 = 'completed' then repeat('0', 64) end as hash,
       case when $3 = 'completed' then 1 end as bytes, case when $3 = 'completed' then now() end as at
     ) as done
     where own.id = videos.id and videos.batch_id = $1 and videos.batch_position = $2`,
    [batchId, place, status],
  )

const idOf = async (batchId: string, place: number) => {
  const { rows } = await product.db.query<{ id: string }>(
    'select id from videos where batch_id = $1 and batch_position = $2',
    [batchId, place],
  )
  return rows[0]?.id ?? ''
}

/** Starts a batch of five videos: ready, in progress, failed, deleted, waiting. */
async function mixedBatch(user: User): Promise<string> {
  const batchId = await startBatch(user, 5)
  await setStatus(batchId, 1, 'completed')
  await setStatus(batchId, 2, 'generating')
  await setStatus(batchId, 3, 'error')
  const { status } = await user.call('DELETE', `/api/videos/${await idOf(batchId, 4)}`)
  expect(status).toBeLessThan(300)
  return batchId
}

const pageOf = async (user: User, path: string) => (await user.send('GET', path)).text()
const feed = async (user: User, query: string) =>
  (await user.get<Feed>(`/api/videos/changes?since=0&screen=create&${query}`)).body

/** Returns the prompts of the cards, in the order of the page. */
const promptsIn = (html: string) =>
  [...html.matchAll(/<article[\s\S]*?<h3[^>]*>([^<]*)/g)].map(([, prompt]) => prompt)

describe('a batch prompt by prompt', () => {
  test('U-STAT-2: a cell per prompt states its status in words', async () => {
    const user = await product.user({ video_limit: 100 })
    const batchId = await mixedBatch(user)
    const strip = /<ol class="sheet[\s\S]*?<\/ol>/.exec(await pageOf(user, '/app'))?.[0] ?? ''
    const names = [...strip.matchAll(/aria-label="(\d+: [^"]*)"/g)].map(([, name]) => name)
    expect(names).toEqual([
      '1: prompt 1, ready',
      '2: prompt 2, in progress',
      '3: prompt 3, failed',
      '4: deleted',
      '5: prompt 5, waiting',
    ])
    // Each status has its own look, and the cell of a deleted video is no link.
    expect(new Set(strip.match(/class="cell[^"]*"/g))).toHaveLength(5)
    expect(strip.match(/<a /g)).toHaveLength(4)
    expect((await feed(user, `batch=${batchId}`)).work.progress?.cells).toBe('dmf-w')
  })

  test('each cell links to its video; that of another user’s or a deleted video to the batch', async () => {
    const user = await product.user({ video_limit: 100 })
    const batchId = await mixedBatch(user)
    const leadsTo = async (place: string, client = user) => {
      const { headers } = await client.send('GET', `/resources/batches/${batchId}/${place}`)
      return headers.get('location')
    }
    expect(await leadsTo('2')).toBe(`/videos/${await idOf(batchId, 2)}`)
    const back = `/app?tab=bulk&batch=${batchId}`
    for (const place of ['4', '6', '0', '-1', 'x', '99999999999']) {
      expect(await leadsTo(place), place).toBe(back)
    }
    expect(await leadsTo('2', await product.user())).toBe(back)
  })

  test('U-STAT-2: more than a hundred retries are shown by status, in words and in proportion', async () => {
    const user = await product.user({ video_limit: 200 })
    const lost = Array.from({ length: 130 }, () => ({ status: 'error' as const }))
    await makeVideos(product, user.userId, lost)
    const { body } = await user.post<{ batchId: string }>('/api/videos/retry-all-failed')
    await product.db.query(
      `update batches set completed_videos = 60, failed_videos = 7 where id = $1`,
      [body.batchId],
    )
    await product.db.query(
      `update videos set status = 'error', error_code = 'unknown' where id in (
         select id from videos where batch_id = $1 and awaits_round limit 5)`,
      [body.batchId],
    )
    await product.db.query(
      `with sent as (
         insert into attempts (id, video_id, generation, n, user_id, batch_id, lane, state, provider,
           model, account_scope, sent_at, deadline_at)
         select gen_random_uuid(), id, generation, 1, user_id, batch_id, 0, 'submitted', 'local',
           'm', 's', now(), now() + interval '1 hour' from videos
         where batch_id = $1 and status = 'pending' order by id limit 3 returning video_id)
       insert into line_entries (video_id, generation, user_id, batch_id, lane, state)
       select id, generation, user_id, batch_id, 0, 'ready' from videos
       where batch_id = $1 and status = 'pending' and id not in (select video_id from sent)
       order by id limit 4`,
      [body.batchId],
    )
    const html = await pageOf(user, '/app')
    expect(textOf(html)).toContain('3 videos in progress, 4 next in line, 56 waiting for a round')
    expect(html).not.toContain('class="sheet')
    const list = /<ul aria-label="Videos by state"[\s\S]*?<\/ul>/.exec(html)?.[0] ?? ''
    expect(list.match(/<li[\s\S]*?<\/li>/g)?.map(textOf)).toEqual([
      '60 ready',
      '3 in progress',
      '60 waiting',
      '5 failed',
      '2 deleted',
    ])
    const widths = [...html.matchAll(/<rect x="\d+" width="(\d+)"[^>]*class="fill-/g)].map(
      ([, width]) => Number(width),
    )
    expect(widths).toEqual([60, 3, 60, 5, 2])
  })

  test('a hundred cells add a hundred bytes to a response, and little to the page', async () => {
    const user = await product.user({ video_limit: 100 })
    const batchId = await startBatch(user, 100)
    const { work } = await feed(user, `batch=${batchId}&has=${batchId}`)
    expect(work.progress).toMatchObject({ cells: 'w'.repeat(100), sheet: null })
    const other = (await feed(user, `batch=${batchId}&has=${user.userId}`)).work.progress?.sheet
    expect(other?.frames.map(({ prompt }) => prompt)).toEqual(
      Array.from({ length: 100 }, (_, i) => `prompt ${i + 1}`),
    )
    const strip = /<ol class="sheet[\s\S]*?<\/ol>/.exec(await pageOf(user, '/app'))?.[0] ?? ''
    // One more leads to the frames that a phone does not show.
    expect(strip.match(/<a (?![^>]*more prompts)/g)).toHaveLength(100)
    expect(strip.length).toBeLessThan(24 * 1024)
  })

  test('a poll without changes returns 304 without the cells', async () => {
    const user = await product.user({ video_limit: 100 })
    await startBatch(user, 100)
    for (const path of ['/api/batches', '/api/videos/changes?since=0&screen=create']) {
      const tag = (await user.send('GET', path)).headers.get('etag') ?? ''
      const again = await user.send('GET', path, { headers: { 'if-none-match': tag } })
      expect([again.status, await again.text()]).toEqual([304, ''])
      const headers = [...again.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      expect(headers).not.toContain('www')
    }
  })
})

describe('the gallery in the order of a batch', () => {
  test('a running batch links to it: the first prompt first, and only its videos', async () => {
    const user = await product.user({ video_limit: 100 })
    await user.post('/api/videos/generate', { prompt: 'on its own' })
    expect(await pageOf(user, '/app')).not.toContain('>Oldest first<')
    const batchId = await startBatch(user, 25)
    const sent = Array.from({ length: 25 }, (_, i) => setStatus(batchId, i + 1, 'generating'))
    await Promise.all(sent)
    const newest = await pageOf(user, '/app')
    const link =
      /href="([^"]*)"[^>]*>Oldest first</.exec(newest)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(promptsIn(newest)[0]).not.toBe('prompt 1')
    const ordered = await pageOf(user, link)
    expect(promptsIn(ordered)).toEqual(Array.from({ length: 20 }, (_, i) => `prompt ${i + 1}`))
    expect(ordered).toContain('Showing 1-20 of 25 videos')
    expect(ordered).toMatch(/aria-current="true"[^>]*>Oldest first</)
    // The page still follows the batch, and its second page has the rest.
    expect(ordered).toContain('http-equiv="refresh"')
    const rest = await pageOf(user, `${link}&page=2`)
    expect(promptsIn(rest)).toEqual(Array.from({ length: 5 }, (_, i) => `prompt ${i + 21}`))
    const { gallery } = await feed(user, `list=whole&inOrder=${batchId}`)
    expect(gallery.videos[0]?.prompt).toBe('prompt 1')
    expect(gallery.pagination.totalCount).toBe(25)
  })

  test('the other filters and the search apply to it; another user’s batch is empty', async () => {
    const user = await product.user({ video_limit: 100 })
    const batchId = await mixedBatch(user)
    const found = async (query: string, client = user) =>
      promptsIn(await pageOf(client, `/app?inOrder=${batchId}&${query}`))
    expect(await found('')).toEqual(['prompt 1', 'prompt 2', 'prompt 3'])
    const dashboard = textOf(await pageOf(user, `/dashboard?inOrder=${batchId}`))
    expect(dashboard).toContain('1 of 4 ready, 1 in progress, 1 to come, 1 failed, 1 deleted')
    expect(await found('status=pending')).toEqual(['prompt 2'])
    expect(await found('aspectRatio=landscape')).toEqual([])
    expect(await found('search=prompt+3')).toEqual(['prompt 3'])
    expect(await found('', await product.user())).toEqual([])
    expect(await pageOf(user, '/app?inOrder=nonsense')).toContain('Showing 1-3 of 3 videos')
    const { body } = await user.get<VideoPage>(`/api/videos?inOrder=${batchId}`)
    expect(body.videos[0]?.prompt).toBe('prompt 1')
  })
})

describe('issue 51.2: a batch among the cards of a gallery', () => {
  const shown = async (user: User, query = '') => {
    const html = await pageOf(user, `/dashboard${query}`)
    const bar = /<progress aria-label="Ready: [^>]* value="(\d+)"/.exec(html)?.[1]
    return { cards: promptsIn(html), text: textOf(html), counters: countersOf(html), bar }
  }

  test('issue 51.2, U-GAL-8, Q-65: what waits and what was cancelled take no card and no page; a strip counts them', async () => {
    const user = await product.user({ video_limit: 200 })
    await makeVideos(
      product,
      user.userId,
      Array.from({ length: 30 }, () => ({ prompt: 'old' })),
    )
    const id = await startBatch(user, 100)
    const waiting = await shown(user)
    expect(waiting.text).toContain('Showing 1-20 of 30 videos')
    expect(waiting.text).toContain('0 of 100 ready, 100 to come')
    expect(waiting.counters).toMatchObject({ 'Total Videos': 130, 'In Progress': 100, Failed: 0 })

    for (const place of [1, 2]) await setStatus(id, place, 'completed')
    await setStatus(id, 3, 'generating')
    await setStatus(id, 4, 'error')
    const strip = '2 of 100 ready, 1 in progress, 96 to come, 1 failed'
    const running = await shown(user)
    expect(running.text).toContain('Showing 1-20 of 34 videos')
    expect(running.text).toContain(strip)
    expect(running.bar).toBe('2')
    expect(running.cards.slice(0, 4).sort()).toEqual([1, 2, 3, 4].map((n) => `prompt ${n}`))
    // Nothing of the batch is on the second page, and so it has no strip there.
    expect((await shown(user, '?page=2')).text).not.toContain('of 100 ready')
    const pending = await shown(user, '?status=pending')
    expect(pending.cards).toEqual(['prompt 3'])
    expect(pending.text).toContain(strip)
    expect((await shown(user, '?status=error')).cards).toEqual(['prompt 4'])
    expect((await shown(user, '?search=prompt')).cards).toHaveLength(4)

    await user.post(`/api/batches/${id}/cancel`)
    const stopped = await shown(user)
    expect(stopped.text).toContain('2 of 100 ready, 1 in progress, 1 failed, 96 cancelled')
    expect(stopped.bar).toBeUndefined()
    expect(stopped.text).toContain('Put 96 prompts back They go into the box.')
    expect(stopped.text).toContain('Showing 1-20 of 34 videos')
    expect(stopped.cards.slice(0, 4).sort()).toEqual(running.cards.slice(0, 4).sort())
    expect(stopped.counters).toMatchObject({ Failed: 1, Cancelled: 96 })
    expect((await shown(user, '?status=cancelled')).text).toContain('Showing 1-20 of 96 videos')
  })

  test('issue 51.2, U-GAL-3: all that match are the cards; what waits stays', async () => {
    const user = await product.user({ video_limit: 200 })
    await makeVideos(product, user.userId, [{ prompt: 'old' }])
    const id = await startBatch(user, 5)
    await setStatus(id, 1, 'completed')
    const all = new Date(Date.now() + 60_000).toISOString()
    const prompts = await pageOf(user, `/resources/prompts?choice=selected&all=${all}`)
    expect(prompts.match(/^\d+\. /gm)).toHaveLength(2)
    // 'All Prompts' is of all videos.
    expect((await pageOf(user, '/resources/prompts?choice=all')).match(/^\d+\. /gm)).toHaveLength(6)
  })

  test('issue 51.2, A-VID-5: among all users’ videos what was never sent is found by its state only', async () => {
    const admin = await product.user({ role: 'admin' })
    const user = await product.user({ video_limit: 200 })
    await makeVideos(product, user.userId, [{ prompt: 'old' }])
    const stopped = await startBatch(user, 2)
    await user.post(`/api/batches/${stopped}/cancel`)
    const id = await startBatch(user, 30)
    await setStatus(id, 1, 'completed')
    await setStatus(id, 2, 'generating')
    await setStatus(id, 3, 'error')
    const look = async (query: string) => {
      const html = await pageOf(admin, `/admin/videos?user=${user.userId}${query}`)
      return { cards: promptsIn(html).sort(), text: textOf(html) }
    }
    const sent = ['old', 'prompt 1', 'prompt 2', 'prompt 3']
    const all = await look('')
    expect(all.cards).toEqual(sent)
    expect(all.text).toContain('Showing 1-4 of 4 videos')
    expect((await look(`&search=${user.username}`)).cards).toEqual(sent)
    expect((await look('&words=prompt')).text).toContain('Showing 1-3 of 3 videos')
    expect((await look('&aspectRatio=landscape')).text).not.toContain('Showing')
    expect((await look('&status=pending')).text).toContain('Showing 1-12 of 28 videos')
    expect((await look('&status=cancelled')).cards).toEqual(['prompt 1', 'prompt 2'])
    expect((await look('&page=2')).cards).toEqual(sent)
    // Deleting reaches all that match, and says what the page does not show.
    const { text } = await look('&dialog=delete-all')
    expect(text).toContain('will be deleted: 33 videos.')
    expect(text).toContain('29 of them were never sent, so they are not on the page.')
    // What is ticked with 'all that match' is what the page shows.
    const until = new Date(Date.now() + 60_000).toISOString()
    const chosen = `/resources/prompts?choice=selected&scope=all&user=${user.userId}&all=${until}`
    expect((await pageOf(admin, chosen)).match(/^\d+\. /gm)).toHaveLength(4)
    const waiting = await pageOf(admin, `${chosen}&status=pending`)
    expect(waiting.match(/^\d+\. /gm)).toHaveLength(28)
  })

  test('issue 51.2: the feed tells how the batch goes and how many prompts wait', async () => {
    const user = await product.user({ video_limit: 200 })
    const id = await startBatch(user, 3)
    type News = { version: number; waiting: unknown; batches: unknown[] }
    const ask = async (since: number) =>
      (await user.get<News>(`/api/videos/changes?since=${since}&screen=videos`)).body
    const before = await ask(0)
    await setStatus(id, 1, 'generating')
    const now = await ask(before.version)
    expect(now.waiting).toEqual({ portrait: 2, landscape: 0 })
    expect(now.batches).toMatchObject([{ id, isRunning: true, inProgress: 3, waiting: 2 }])
    expect((await ask(now.version)).batches).toEqual([])
  })

  test('issue 51.9: a failed card says why in its frame, upright and wide alike', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [
      { status: 'error', prompt: 'upright' },
      { status: 'error', prompt: 'wide', aspect_ratio: 'landscape' },
    ])
    const html = await pageOf(user, '/dashboard')
    const cards = [...html.matchAll(/<article[\s\S]*?<\/article>/g)].map(([card]) => textOf(card))
    expect(cards).toHaveLength(2)
    // Its words stand between the state and the prompt.
    for (const card of cards) expect(card).toMatch(/^Failed .+ (upright|wide) /)
  })

  test('issue 51.2, Q-22: a video that is made again keeps its card, one of a single order too', async () => {
    const user = await product.user({ video_limit: 200 })
    await makeVideos(product, user.userId, [{ prompt: 'lost', status: 'error' }])
    await user.post('/api/videos/generate', { prompt: 'alone' })
    await user.post('/api/videos/retry-all-failed')
    expect((await shown(user)).cards.sort()).toEqual(['alone', 'lost'])
  })
})
