import { describe, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { BatchProgress } from '../../app/domain/batches/types'
import type { GalleryPage } from '../../app/domain/videos/types'
import { textOf } from '../support/html'
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
    expect(strip.match(/<a /g)).toHaveLength(100)
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
    expect(await found('')).toEqual(['prompt 1', 'prompt 2', 'prompt 3', 'prompt 5'])
    expect(await found('status=pending')).toEqual(['prompt 2', 'prompt 5'])
    expect(await found('aspectRatio=landscape')).toEqual([])
    expect(await found('search=prompt+3')).toEqual(['prompt 3'])
    expect(await found('', await product.user())).toEqual([])
    expect(await pageOf(user, '/app?inOrder=nonsense')).toContain('Showing 1-4 of 4 videos')
    const { body } = await user.get<VideoPage>(`/api/videos?inOrder=${batchId}`)
    expect(body.videos[0]?.prompt).toBe('prompt 1')
  })
})
