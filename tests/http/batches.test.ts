import { describe, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { BatchSummary, BatchView } from '../../app/domain/batches/types'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { sendForm } from '../support/page'
import { makeVideos, type VideoPage } from '../support/videos'
import { readZipFile } from '../support/zip'

// The tests write batches directly into the tables, so the engine's invariants do not hold here.
const product = useInstallation()

type Made = { id: string; videos: string[] }

/** Makes an ended batch: ready, failed and cancelled videos, in this order. */
async function endedBatch(
  user: TestUser,
  { ready = 2, failed = 1, cancelled = 1, createdAt = '2026-01-05T10:27:00Z' } = {},
): Promise<Made> {
  const rows = [
    ...Array.from({ length: ready }, (_, i) => ({ prompt: `ready ${i + 1}` })),
    ...Array.from({ length: failed }, (_, i) => ({
      prompt: `failed ${i + 1}`,
      status: 'error' as const,
    })),
    ...Array.from({ length: cancelled }, (_, i) => ({
      prompt: `unsent ${i + 1}`,
      status: 'error' as const,
      error_code: 'cancelled',
      error_message: 'Cancelled',
    })),
  ]
  const videos = (await makeVideos(product, user.userId, rows)).map(({ id }) => id)
  const { rows: made } = await product.db.query<{ id: string }>(
    `insert into batches (id, user_id, kind, status, total_videos, completed_videos, failed_videos,
       cancelled_videos, charged_units, speed_limit, delay_seconds, created_at, finished_at)
     values (gen_random_uuid(), $1, 'bulk', 'cancelled', $2, $3, $4, $5, $3, 1, 90, $6, $6) returning id`,
    [user.userId, rows.length, ready, failed, cancelled, createdAt],
  )
  const id = made[0]?.id ?? ''
  await product.db.query(
    `update videos set batch_id = $1, batch_position = place, completed_at = case when file_key is not null
       then $3::timestamptz + place * interval '2 minutes' end
     from unnest($2::uuid[]) with ordinality as given(id, place) where videos.id = given.id`,
    [id, videos, createdAt],
  )
  return { id, videos }
}

const pageOf = async (user: TestUser, path: string) => {
  const response = await user.send('GET', path)
  return { status: response.status, html: await response.text() }
}

describe('the list of batches', () => {
  test('issue 37: names each batch, how it went, what it cost and what can be done', async () => {
    const user = await product.user({ video_limit: 100 })
    const { id } = await endedBatch(user)
    const { html } = await pageOf(user, '/batches')
    const text = textOf(html)
    expect(text).toContain('Batch of 10:27')
    expect(text).toContain('4 prompts')
    expect(text).toContain('2 ready, 1 failed, 1 cancelled · 2 videos charged')
    for (const action of ['Retry 1 failed', 'Put 1 prompt back', 'Use these prompts again'])
      expect(text).toContain(action)
    expect(html).toContain(`href="/batches/${id}"`)
    expect(textOf((await pageOf(await product.user(), '/batches')).html)).toContain(
      'No batches yet',
    )
  })

  test('a page has twenty, and the next one begins after the last', async () => {
    const user = await product.user()
    for (let i = 0; i < 23; i++) {
      const minute = String(i).padStart(2, '0')
      await endedBatch(user, {
        ready: 1,
        failed: 0,
        cancelled: 0,
        createdAt: `2026-01-05T10:${minute}:00Z`,
      })
    }
    const names = (html: string) => textOf(html).match(/Batch of \d\d:\d\d/g) ?? []
    const first = (await pageOf(user, '/batches')).html
    expect(names(first)).toHaveLength(20)
    const next = /href="(\/batches\?before=[^"]+)"/.exec(first)?.[1] ?? ''
    const second = (await pageOf(user, next)).html
    expect(names(second)).toEqual(['Batch of 10:02', 'Batch of 10:01', 'Batch of 10:00'])
    expect(second).toContain('>Newest</a>')
    const { body } = await user.get<BatchView[]>(`/api/batches?${next.split('?')[1]}`)
    expect(body.map(({ name }) => name)).toEqual(names(second))
    const other = await product.user()
    expect((await other.get<BatchView[]>(`/api/batches?${next.split('?')[1]}`)).body).toEqual([])
  })
})

test('issue 39.1: batches of the same minute are told apart by their first prompts, and stand in the order in which they run', async () => {
  const user = await product.user({ video_limit: 100 })
  const order = (prompts: string[]) =>
    user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts, queue: true })
  await order(['A kite over the sea', 'x'])
  await order(['A boat', 'y'])
  await order([`A lantern ${'on a lake '.repeat(20)}`])
  const lantern = `A lantern ${'on a lake '.repeat(7)}`
  const { html } = await pageOf(user, '/batches')
  const cards = (html.match(/<article[\s\S]*?<\/article>/g) ?? []).map(textOf)
  expect(cards).toEqual([
    expect.stringContaining('A kite over the sea'),
    expect.stringContaining('A boat'),
    expect.stringContaining(lantern),
  ])
  const text = textOf((await pageOf(user, '/app?tab=bulk')).html)
  expect(text).toMatch(/Batches in line Batch of \d\d:\d\d , 2 prompts A boat Next in line/)
  expect(text).toMatch(/, 1 prompt A lantern on a lake .* Place 2 in line/)
  // A poster says more.
  const { id } = await endedBatch(user, { createdAt: '2036-01-05T10:27:00Z' })
  await product.db.query(
    `update videos set poster_key = replace(file_key, '.mp4', '.jpg') where batch_id = $1`,
    [id],
  )
  expect((await pageOf(user, '/batches')).html).not.toContain('ready 1')
})

describe('the page of a batch', () => {
  test('issue 37: stays with its videos, its figures and its deliveries over time', async () => {
    const user = await product.user({ video_limit: 100 })
    const { id, videos } = await endedBatch(user, { ready: 3 })
    const { status, html } = await pageOf(user, `/batches/${id}`)
    expect(status).toBe(200)
    const links = [...html.matchAll(/<a [^>]*aria-label="Open [^>]*>/g)].map(([link]) => link)
    expect(links.map((link) => /aria-label="([^"]+)"/.exec(link)?.[1])).toEqual([
      ...['Open 1: ready 1', 'Open 2: ready 2', 'Open 3: ready 3', 'Open 4: failed 1'],
    ])
    expect(links.map((link) => /href="([^"]+)"/.exec(link)?.[1])).toEqual(
      videos.slice(0, 4).map((id) => `/videos/${id}`),
    )
    const text = textOf(html)
    expect(text).toContain('1 prompt cancelled before being sent.')
    expect(text).toContain('3 videos delivered. Times are')
    expect(html).toMatch(/<svg role="img" aria-label="Videos delivered per minute"/)
    expect(text).toContain('From 10:29 Delivered 1')
    const deliveredIn = async (minutes: number[]) => {
      for (const [index, minute] of minutes.entries())
        await product.db.query(
          `update videos set completed_at = '2026-01-05T10:27:00Z'::timestamptz + $2 * interval '1 minute' where id = $1`,
          [videos[index], minute],
        )
      return textOf((await pageOf(user, `/batches/${id}`)).html)
    }
    expect(await deliveredIn([2, 2, 4])).toContain('delivered, most of them from 10:29 (2).')
    expect(await deliveredIn([2, 2, 2])).toContain('3 videos delivered, from 10:29.')
    for (const stranger of [await product.user(), await product.user({ role: 'admin' })])
      expect((await pageOf(stranger, `/batches/${id}`)).status).toBe(404)
    expect((await pageOf(user, '/batches/none')).status).toBe(404)
  })

  test('U-COLL-15: its figures and its ZIP are not those of a collection that has one of its clips', async () => {
    const user = await product.user()
    const { videos } = await endedBatch(user, { ready: 7, failed: 0, cancelled: 93 })
    const { body } = await user.post<{ id: string }>('/api/collections', { name: 'Kites' })
    await user.post(`/api/collections/${body.id}/videos`, { videoIds: videos.slice(0, 2) })
    expect(textOf((await pageOf(user, '/dashboard')).html)).toContain(
      '7 of 100 ready, 93 cancelled',
    )
    const address = `/collections/${body.id}?collection=${body.id}`
    const { html } = await pageOf(user, address)
    expect(textOf(html)).toContain('Showing 1-2 of 2 videos')
    expect(textOf(html)).not.toContain('of 100 ready')
    expect(html.match(/aria-label="Download as ZIP: [^"]*"/g)).toHaveLength(1)
  })

  test('it is renamed in its place; a name is one clean line of at most 60 characters', async () => {
    const user = await product.user()
    const { id } = await endedBatch(user)
    const page = `/batches/${id}`
    const rename = (name: string) => sendForm(user, page, { intent: 'rename-batch', on: id, name })
    const { html } = await rename('  Foxes\t for <Monday>  ')
    expect(html).toContain('<bdi>Foxes for &lt;Monday&gt;</bdi>')
    expect((await rename('x'.repeat(61))).status).toBe(400)
    // What would turn round the words beside it is left out.
    expect((await rename('\u202eoxes\u2067 for Monday\u202c')).html).toContain('>oxes for Monday<')
    const call = (name: unknown, who = user) => who.call('PATCH', `/api/batches/${id}`, { name })
    expect((await call('Wolves')).body).toMatchObject({ id, name: 'Wolves' })
    expect((await call('x\u0000')).status).toBe(400)
    expect((await call('Mine', await product.user())).status).toBe(404)
    expect((await user.get<BatchSummary>(`/api/batches/${id}`)).body).toMatchObject({
      name: 'Wolves',
      ready: 2,
      failed: 1,
      cancelled: 1,
      chargedUnits: 2,
    })
    await rename(' ')
    expect((await user.get<BatchView[]>('/api/batches')).body[0]?.name).toBe('Batch of 10:27')
  })

  test('its ZIP has its clips and no others, in the order of the prompts', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [{ prompt: 'a single' }])
    const { id } = await endedBatch(user, { ready: 2 })
    const { html } = await pageOf(user, `/batches/${id}`)
    const link =
      /href="(\/api\/videos\/archive[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const response = await user.send('GET', link)
    const files = await readZipFile(Buffer.from(await response.arrayBuffer()))
    const names = [...files.keys()].map((name) => name.replace(/^\d+_/, ''))
    expect(names).toEqual(['prompts.csv', 'posting-list.csv', 'ready-1.mp4', 'ready-2.mp4'])
    const stranger = await product.user()
    expect((await stranger.send('GET', link)).headers.get('location')).toBe(`/batches/${id}`)
  })

  test('issue 37: without scripts its failed videos are retried and its prompts go into the box', async () => {
    const user = await product.user({ video_limit: 100 })
    const { id, videos } = await endedBatch(user, { ready: 1, failed: 2, cancelled: 2 })
    const page = `/batches/${id}`
    const dialog = textOf((await pageOf(user, `${page}?dialog=retry-batch&on=${id}`)).html)
    expect(dialog).toContain('Retry 2 failed videos?')
    expect(dialog).toContain('This uses 2 of the 100 videos left today.')
    const back = await sendForm(user, page, { intent: 'put-back', on: id })
    expect(back.location).toBe('/app?tab=bulk')
    expect(back.text).toContain('2 prompts added')
    expect(back.html).toMatch(/<textarea[^>]*>\n?unsent 1\nunsent 2<\/textarea>/)
    const { body } = await user.get<VideoPage>('/api/videos')
    expect(body.videos).toHaveLength(3)
    const retried = await sendForm(user, page, { intent: 'retry-batch', on: id })
    expect(retried.text).toContain('2 failed videos queued for retry.')
    expect(retried.text).toContain('Ready 1')
    const { rows } = await product.db.query<{ id: string }>(
      `select id from videos where user_id = $1 and status = 'pending' order by batch_position`,
      [user.userId],
    )
    expect(rows.map((row) => row.id)).toEqual(videos.slice(1, 3))
    expect((await user.get<BatchSummary>(`/api/batches/${id}`)).body).toMatchObject({
      ready: 1,
      inProgress: 2,
    })
    await user.post(
      `/api/batches/${(await user.get<BatchView[]>('/api/batches')).body[0]?.id}/cancel`,
    )
  })
})

describe('prompts that were not sent', () => {
  /** Starts a batch of which nothing is sent, and returns its page and the ids of its prompts. */
  async function waitingBatch(user: TestUser, prompts: string[]) {
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts })
    const { rows } = await product.db.query<{ id: string }>(
      'select id from videos where batch_id = $1 order by batch_position',
      [body.batchId],
    )
    return {
      batchId: body.batchId,
      page: `/batches/${body.batchId}`,
      ids: rows.map(({ id }) => id),
    }
  }

  test('issue 39.2: one is edited in its row, and every form leads to the row it is about', async () => {
    const user = await product.user({ video_limit: 100 })
    const texts = ['One', 'Two', 'Three', 'Four', 'Five']
    const { batchId, page, ids } = await waitingBatch(user, texts)
    const rowOf = (html: string, place: number) =>
      new RegExp(`<li id="prompt-${place}"[\\s\\S]*?</li>`).exec(html)?.[0] ?? ''
    const open = await pageOf(user, `${page}?edit=${ids[2]}`)
    expect(rowOf(open.html, 3)).toMatch(/>Prompt 3<\/label>[\s\S]*<textarea[^>]*>\n?Three</)
    expect(open.html.match(/<textarea/g)).toHaveLength(1)
    expect(rowOf(open.html, 3)).toContain(`action="${page}?edit=${ids[2]}#prompt-3"`)
    const send = (intent: string, place: number, fields = {}) =>
      sendForm(user, page, { intent, on: batchId, videoId: ids[place - 1] ?? '', ...fields })
    const saved = await send('edit-prompt', 3, { prompt: 'Drei' })
    expect(saved.location).toBe(`${page}#prompt-3`)
    expect(saved.text).toContain('Prompt 3 changed')
    expect(textOf(rowOf(saved.html, 3))).toContain('Drei')
    const up = await send('move-prompt', 3, { to: 'earlier' })
    expect(up.location).toMatch(/#prompt-2$/)
    expect(up.text).toContain('Prompt 3 moved up')
    const down = await send('move-prompt', 3, { to: 'later' })
    expect(down.location).toMatch(/#prompt-3$/)
    expect(down.text).toContain('Prompt 2 moved down')
    const first = await send('move-prompt', 5, { to: 'first' })
    expect(first.location).toMatch(/#prompt-1$/)
    expect(first.text).toContain('Prompt 5 moved to the top')
    for (const _ of [2, 3, 4, 5]) await send('move-prompt', 5, { to: 'later' })
    const removed = await send('remove-prompt', 4)
    expect(removed.location).toMatch(/#prompt-5$/)
    expect(removed.text).toContain('Prompt 4 removed Undo')
    expect((await send('remove-prompt', 5)).location).toMatch(/#prompt-3$/)
    for (const place of [1, 2]) await send('remove-prompt', place)
    expect((await pageOf(user, page)).html).toContain('Cancel this prompt')
    const last = await send('stop-after-round', 3)
    expect(last.text).toContain(
      '1 prompt cancelled It came back to your quota. What was sent is finished.',
    )
    expect(last.text).toContain('5 prompts cancelled before being sent.')
    const { html } = await pageOf(user, '/app?tab=bulk')
    expect(textOf(html)).toContain('Batch cancelled 0 ready, 5 cancelled')
    expect(html).not.toContain('Bulk Generation Complete!')
  })

  test('issue 53.7: a removal is undone from its message, from the page, and in the line', async () => {
    const user = await product.user({ video_limit: 4 })
    const { batchId, page, ids } = await waitingBatch(user, ['One', 'Two', 'Three'])
    const [, two = '', three = ''] = ids
    const removed = await sendForm(user, page, {
      intent: 'remove-prompt',
      on: batchId,
      videoId: two,
    })
    expect(removed.html).toMatch(
      new RegExp(`action="${page}"[^>]*><input type="hidden" name="on" value="${two}"`),
    )
    expect(removed.text).toContain('counts as one of today’s videos again')
    expect(removed.text).toContain('Two Back to place 2')
    const undone = await sendForm(user, page, { intent: 'undo-prompt', on: two })
    expect(undone.location).toBe(`${page}?unsent=shown#prompt-2`)
    expect(undone.text).toContain('Prompt 2 is back It counts as one of today’s videos.')
    const stranger = await product.user()
    await sendForm(user, page, { intent: 'remove-prompt', on: batchId, videoId: two })
    const theirs = await sendForm(stranger, '/batches', { intent: 'undo-prompt', on: two })
    expect(theirs.status).toBe(404)
    await user.post('/api/videos/bulk-generate', { prompts: ['Other'], queue: true })
    for (const prompt of ['A kite', 'A boat'])
      await user.post('/api/videos/generate', { prompt, aspectRatio: 'portrait' })
    const full = await pageOf(user, page)
    expect(textOf(full.html)).toContain('No videos are left today.')
    expect(full.html).not.toContain('Back to place')
    const refused = await sendForm(user, page, { intent: 'undo-prompt', on: two })
    expect(refused.text).toContain('You have 0 videos remaining today; 1 requested')

    const [queued] = (await user.get<BatchView[]>('/api/batches')).body
    const line = queued?.id ?? ''
    const left = await sendForm(user, '/batches', { intent: 'leave-line', on: line })
    expect(left.html).toContain(`action="/batches/${line}"`)
    expect(left.text).toContain('Back in line')
    const back = await sendForm(user, '/batches', { intent: 'undo-batch', on: line })
    expect(back.text).toContain('Batch back in line Its place is 1, with 1 prompt.')
    expect((await user.post(`/api/batches/${line}/restore`)).status).toBe(409)
    await user.post(`/api/batches/${line}/cancel`)
    expect((await stranger.post(`/api/batches/${line}/restore`)).status).toBe(404)
    const { body } = await user.post<BatchView>(`/api/batches/${line}/restore`)
    expect(body).toMatchObject({ status: 'queued', inLine: { place: 1 } })

    await sendForm(user, page, { intent: 'remove-prompt', on: batchId, videoId: ids[0] ?? '' })
    const one = await pageOf(user, page)
    expect(textOf(one.html)).toContain('This ends the batch and cannot be undone.')
    const last = await sendForm(user, page, {
      intent: 'remove-prompt',
      on: batchId,
      videoId: three,
    })
    expect(last.text).toContain(
      'It was the last one, so the batch has ended. Its prompts can be put back into the box. The next batch in line has started: 1 prompt.',
    )
    expect(last.html).not.toContain('value="undo-prompt"')
  })

  test('issue 39.2: the editor of one that is sent meanwhile says so, and keeps what was typed', async () => {
    const user = await product.user({ video_limit: 100 })
    const { batchId, page, ids } = await waitingBatch(user, ['One', 'Two'])
    const id = ids[0] ?? ''
    await product.db.query(
      `update videos set awaits_round = false, status = 'generating' where id = $1`,
      [id],
    )
    const { html } = await pageOf(user, `${page}?edit=${id}`)
    expect(textOf(html)).toContain('This prompt has been sent already.')
    const fields = { intent: 'edit-prompt', on: batchId, videoId: id, prompt: 'Typed' }
    const refused = await sendForm(user, `${page}?edit=${id}`, fields)
    expect(refused.status).toBe(409)
    expect(refused.html).toMatch(/<textarea[^>]*>\n?Typed</)
  })

  test('issue 49: an edit of a prompt that was removed meanwhile says so, on its page and in its answer', async () => {
    const user = await product.user({ video_limit: 100 })
    const { batchId, page, ids } = await waitingBatch(user, ['One', 'Two'])
    const videoId = ids[0] ?? ''
    const about = { on: batchId, videoId }
    await sendForm(user, page, { intent: 'remove-prompt', ...about })
    const refused = await sendForm(user, `${page}?edit=${videoId}`, {
      intent: 'edit-prompt',
      ...about,
      prompt: 'Typed',
    })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('This prompt was cancelled.')
    expect(refused.text).not.toContain('sent already')
  })
})

test('retries of a batch and of a selection are calls', async () => {
  const user = await product.user({ video_limit: 100 })
  const { id, videos } = await endedBatch(user, { ready: 0, failed: 2, cancelled: 0 })
  const stranger = await product.user()
  expect((await stranger.post(`/api/batches/${id}/retry-failed`)).status).toBe(404)
  const first = await user.post<{ count: number; batchId: string }>(
    '/api/videos/retry-selected',
    { videoIds: [videos[0]] },
    { 'idempotency-key': 'k' },
  )
  expect(first).toMatchObject({ status: 202, body: { count: 1 } })
  const again = await user.post(
    '/api/videos/retry-selected',
    { videoIds: [videos[0]] },
    { 'idempotency-key': 'k' },
  )
  expect(again.body).toEqual(first.body)
  expect((await user.post(`/api/batches/${id}/retry-failed`)).status).toBe(409)
  await user.post<BatchReceipt>(`/api/batches/${first.body.batchId}/cancel`)
  expect((await user.post(`/api/batches/${id}/retry-failed`)).body).toMatchObject({ count: 1 })
})
