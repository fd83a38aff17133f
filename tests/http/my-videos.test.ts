import { afterEach, describe, expect, test } from 'vitest'
import { REGENERATION_STOPPED } from '../../app/domain/videos/rules'
import type { VideoView } from '../../app/domain/videos/types'
import { dayInWords } from '../../app/lib/time'
import { addVideos } from '../support/ended-videos'
import { cardsOf, countersOf, textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { makeVideos, type VideoPage } from '../support/videos'
import { submitForm } from '../support/page'

const product = useInstallation()
type User = TestUser
type Failure = { error: string; code: string }

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const pageOf = async (user: User, path: string) => (await user.send('GET', path)).text()
const many = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

/** Queues videos. There is no worker, so they keep their state. */
const queue = (user: User, prompts: readonly string[]) =>
  user.post('/api/videos/bulk-generate', { prompts, negativePrompt: 'no fog' })

/** Sets the status of a video as if its order were under way. */
const move = (user: User, to: 'pending' | 'generating', prompt: string) =>
  product.db.query('update videos set status = $1 where user_id = $2 and prompt = $3', [
    to,
    user.userId,
    prompt,
  ])

const addPosters = (user: User) =>
  product.db.query(
    `update videos set poster_key = replace(file_key, '.mp4', '.jpg') where user_id = $1`,
    [user.userId],
  )

describe('the screens', () => {
  test('K8, O5: what was cancelled is not failed: counters, filter, Retry All and formats agree', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [
      { status: 'error', aspect_ratio: 'portrait' },
      { status: 'error', aspect_ratio: 'landscape' },
      { status: 'error', aspect_ratio: 'landscape' },
      { status: 'completed' },
    ])
    await product.db.query(
      `update videos set error_code = 'cancelled', error_message = 'Cancelled'
       where id in (select id from videos where user_id = $1 and aspect_ratio = 'landscape' and status = 'error' limit 1)`,
      [user.userId],
    )
    for (const path of ['/app', '/dashboard']) {
      const html = await pageOf(user, path)
      expect(countersOf(html)).toMatchObject({ 'Total Videos': 4, Failed: 2, Cancelled: 1 })
    }
    const asked = textOf(await pageOf(user, '/dashboard?dialog=retry-all'))
    expect(asked).toContain('Retry 2 failed videos?')
    const cards = async (filter: string) =>
      cardsOf(await pageOf(user, `/dashboard?${filter}`)).length
    expect(await cards('status=error')).toBe(2)
    expect(await cards('status=cancelled')).toBe(1)
    const { body } = await user.get<{ counts: unknown }>('/api/videos/changes')
    const upright = { total: 2, failed: 1, cancelled: 0 }
    const wide = { total: 2, failed: 1, cancelled: 1 }
    expect(body.counts).toMatchObject({ portrait: upright, landscape: wide })
    const none = await product.user()
    expect(textOf(await pageOf(none, '/dashboard'))).not.toContain('Cancelled')
    const admin = await product.user({ role: 'admin' })
    const query = `/admin/videos?user=${user.userId}`
    const list = textOf(await pageOf(admin, query))
    expect(list).toMatch(/Failed 2 .*Cancelled 1|2 Failed .*1 Cancelled/)
  })

  test('U-CNT-1, U-MYV-1: four counters, equal on both screens and on every page of the list', async () => {
    const user = await product.user({ video_limit: 20 })
    await makeVideos(product, user.userId, [
      ...many(6, {}),
      { aspect_ratio: 'landscape' },
      ...many(3, { status: 'error' } as const),
    ])
    await queue(user, ['one', 'two', 'three'])
    await move(user, 'generating', 'two')
    const shown = { 'Total Videos': 13, Completed: 7, 'In Progress': 3, Failed: 3 }
    for (const path of ['/app', '/dashboard', '/dashboard?status=error&page=9']) {
      expect(countersOf(await pageOf(user, path)), path).toEqual(shown)
    }
    await move(user, 'pending', 'two')
  })

  test('Q-54: My Videos shows how long videos are kept, and which of them expire soon', async () => {
    const user = await product.user()
    const [, old, older] = await addVideos(product, {
      userId: user.userId,
      n: 3,
      status: 'completed',
    })
    const age = (id: string | undefined, days: number) =>
      product.db.query(
        `update videos set completed_at = now() - make_interval(days => $2), created_at = now() - make_interval(days => $2) where id = $1`,
        [id, days],
      )
    const shown = async (path = '/dashboard') => textOf(await pageOf(user, path))
    await age(old, 80)
    await age(older, 85)
    expect(await shown()).not.toMatch(/kept for|Removed on/)
    const setting = (days: number | null) =>
      product.db.query(
        `insert into retention (name, days, since) values ('videos', $1, now() - interval '100 days')
         on conflict (name) do update set days = excluded.days`,
        [days],
      )
    const ahead = (days: number) =>
      dayInWords(new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    await setting(90)
    const text = await shown()
    expect(text).toContain(
      `Videos are kept for 90 days. 2 of yours will be removed soon, the first on ${ahead(5)}. Download what you want to keep.`,
    )
    expect(text.match(/Removed on \d+ \w+ \d{4}/g)).toEqual([
      `Removed on ${ahead(10)}`,
      `Removed on ${ahead(5)}`,
    ])
    // Other users' videos, and those that do not expire soon, are not mentioned.
    const other = await product.user()
    expect(textOf(await pageOf(other, '/dashboard'))).toMatch(/kept for 90 days\.(?! \d)/)
    await setting(null)
    expect(await shown()).not.toMatch(/kept for|Removed on/)
  })

  test('an action that would do nothing has no button', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [{ prompt: 'A boat' }])
    const asked = await pageOf(user, '/dashboard?dialog=retry-all')
    expect(textOf(asked)).toContain('There is nothing to retry. Back to the videos')
    expect(asked).not.toContain('value="retry-all"')
    expect(await pageOf(user, '/dashboard?search=boat')).toContain('Delete Selected')
    expect(await pageOf(user, '/dashboard?search=train')).not.toContain('Delete Selected')
  })

  test('U-GAL-4: six buttons above the gallery, each with a working link', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [{ status: 'error' }])
    const html = await pageOf(user, '/app')
    const form = /<section id="gallery"[\s\S]*?<ul class="cards"/.exec(html)?.[0] ?? ''
    const ofForm = /<button[^>]* form="chosen"[^>]*>([\s\S]*?)<\/button>/g
    const buttons = [...form.matchAll(ofForm)].map(([button]) => ({
      words: textOf(button),
      leadsTo: /formAction="([^"]+)"/i.exec(button)?.[1] ?? /value="([^"]+)"/.exec(button)?.[1],
    }))
    expect(buttons).toEqual([
      { words: 'Download All', leadsTo: '/videos/download' },
      { words: 'All Prompts', leadsTo: '/resources/prompts' },
      { words: 'Download Selected', leadsTo: '/api/videos/archive' },
      { words: 'ZIP', leadsTo: '/api/videos/archive?from=%2Fapp' },
      { words: 'Share', leadsTo: 'collect-selected' },
      { words: 'Star', leadsTo: 'star-selected' },
      { words: 'Delete Selected', leadsTo: 'delete-selected' },
      { words: 'Join', leadsTo: '/films/new' },
      { words: 'Prompts', leadsTo: '/resources/prompts' },
      { words: 'Posting list', leadsTo: '/resources/posting-list' },
      { words: 'Add to collection', leadsTo: 'collect-selected' },
      { words: 'Retry', leadsTo: 'retry-selected' },
    ])
    expect(form).toMatch(/href="\/app\?dialog=retry-all"[^>]*>[\s\S]*?Retry All/)
    expect(textOf(await pageOf(user, '/app?dialog=retry-all'))).toContain('Retry 1 failed video?')
  })

  test('U-CARD-1, U-CARD-2, U-CARD-3, U-CARD-4: poster or status, badges, owner and time', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [
      { prompt: 'fell through', status: 'error', error_message: 'Lost on the way.' },
      { prompt: 'by an admin', regenerated_by_admin: true, regenerate_count: 1 },
      { prompt: 'plain' },
    ])
    await addPosters(user)
    const cards = cardsOf(await pageOf(user, '/app'))
    const [plain = '', byAdmin = '', failed = ''] = cards
    // The owner of one's own videos is in the tooltip of the time.
    const owner = new RegExp(`data-tooltip="${user.username}, 1 Jan 2026`)
    expect(cards.map((card) => owner.test(card))).toEqual([true, true, true])
    expect(plain).toMatch(/<time dateTime="2026-01-01T/i)
    expect(plain).toMatch(/<img[^>]*src="\/media\/[0-9a-f-]+\.jpg/)
    for (const badge of ['Failed', 'Regenerated', 'Made again']) {
      expect(textOf(plain)).not.toContain(badge)
    }
    expect(textOf(byAdmin)).toMatch(/Made again: 1 .*Regenerated/)
    expect(failed).not.toContain('<img')
    expect(textOf(failed)).toMatch(/Failed .*Lost on the way\./)
    const { id } = (await user.get<VideoPage>('/api/videos?status=error')).body.videos[0]!
    expect((await user.post(`/api/videos/${id}/retry`)).status).toBe(202)
    const [retried = ''] = cardsOf(await pageOf(user, '/app?status=pending'))
    expect(textOf(retried)).toContain('Made again: 1')
  })

  test('U-MYV-5, U-MYV-6, U-MYV-7: each status has its label and its body; the negative prompt, if any', async () => {
    const user = await product.user({ video_limit: 10 })
    await makeVideos(product, user.userId, [
      { prompt: 'a finished one' },
      { prompt: 'a failed one', status: 'error', error_message: 'Lost on the way.' },
    ])
    await queue(user, ['one under way'])
    await move(user, 'generating', 'one under way')
    const alone = { prompt: 'a waiting one', negativePrompt: 'no fog' }
    await user.post('/api/videos/generate', alone)
    const cards: Record<string, { card: string; text: string }> = Object.fromEntries(
      cardsOf(await pageOf(user, '/dashboard')).map((card) => {
        const text = textOf(card)
        return [/an? \w+ one|one under way/.exec(text)?.[0] ?? '', { card, text }]
      }),
    )
    await move(user, 'pending', 'one under way')
    expect(cards['a finished one']?.text).toContain('Completed')
    expect(cards['a finished one']?.card).toMatch(/href="\/videos\/[0-9a-f-]+"/)
    expect(cards['a failed one']?.text).toMatch(/Failed .*Lost on the way\./)
    expect(cards['a waiting one']?.text).toContain('Queued Pending')
    expect(cards['one under way']?.text).toContain('Generating... Generating')
    expect(cards['a waiting one']?.text).toContain('Without: no fog')
    expect(cards['a failed one']?.text).not.toContain('Without')
  })

  test('a failed regeneration is shown beside the clip that is kept', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [
      { error_message: 'Last regeneration failed: The prompt was refused.' },
    ])
    await addPosters(user)
    const [card = ''] = cardsOf(await pageOf(user, '/dashboard'))
    expect(textOf(card)).toContain('Last regeneration failed: The prompt was refused.')
    expect(textOf(card)).toContain('Completed')
  })

  test('a stopped regeneration is shown as a note, not as an error', async () => {
    const user = await product.user()
    const [video] = await makeVideos(product, user.userId, [
      { error_message: REGENERATION_STOPPED },
    ])
    await addPosters(user)
    for (const path of ['/app', '/dashboard', `/videos/${video?.id}`]) {
      const html = await pageOf(user, path)
      const note = new RegExp(`<p class="([^"]*)">${REGENERATION_STOPPED}`).exec(html)?.[1]
      expect(note, path).toContain('text-soft')
      expect(note, path).not.toContain('text-bad')
    }
  })

  test('U-MYV-2: filters and a search in one’s own prompts, in the address', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [
      { prompt: 'A red Kite', aspect_ratio: 'landscape' },
      { prompt: 'a kite lost', status: 'error' },
      { prompt: '100% fog' },
    ])
    const shown = async (query: string) =>
      cardsOf(await pageOf(user, `/dashboard?${query}`)).map(
        (card) => /A red Kite|a kite lost|100% fog/.exec(textOf(card))?.[0],
      )
    expect(await shown('status=error')).toEqual(['a kite lost'])
    expect(await shown('status=completed&aspectRatio=landscape')).toEqual(['A red Kite'])
    expect(await shown('search=KITE')).toEqual(['a kite lost', 'A red Kite'])
    expect(await shown('search=kite&status=completed')).toEqual(['A red Kite'])
    expect(await shown('search=%25')).toEqual(['100% fog'])
    const html = await pageOf(user, '/dashboard?search=kite&status=completed')
    expect(textOf(html)).toContain('Showing 1-1 of 1 videos')
    expect(html).toMatch(/name="search"[^>]*value="kite"/)
    const { body } = await user.get<VideoPage>('/api/videos?search=kite')
    expect(body.videos.map(({ prompt }) => prompt)).toEqual(['a kite lost', 'A red Kite'])
    expect(body.pagination).toMatchObject({ totalCount: 2 })
    for (const page of ['/dashboard', '/app']) {
      const long = `${page}?search=${'x'.repeat(101)}&status=completed`
      const address = (await user.send('GET', long)).headers.get('location') ?? ''
      expect(address).toBe(`${page}?status=completed`)
      expect(textOf(await pageOf(user, address))).toContain('This search is too long')
    }
  })

  test('without scripts nothing is asked about ticked videos of which none has failed', async () => {
    const user = await product.user()
    const [done, failed] = await makeVideos(product, user.userId, [{}, { status: 'error' }])
    const asked = async (id = '') =>
      textOf(await pageOf(user, `/dashboard?dialog=retry-selected&ids=${id}`))
    expect(await asked(done?.id)).toContain('There is nothing to retry.')
    expect(await asked(failed?.id)).toContain('Retry the failed ones of 1 video?')
    await user.call('DELETE', `/api/videos/${failed?.id}`)
    const all = 'dialog=retry-selected&all=2100-01-01T00:00:00.000Z'
    expect(textOf(await pageOf(user, `/dashboard?${all}`))).toContain('There is nothing to retry.')
  })

  test('U-GAL-10: a list that cannot be read is reported, and the rest of the screen works', async () => {
    const user = await product.user()
    await makeVideos(product, user.userId, [{}])
    await product.db.query('alter table videos rename column poster_key to gone')
    const response = await user.send('GET', '/dashboard')
    const text = textOf(await response.text())
    const create = await user.send('GET', '/app')
    const createText = textOf(await create.text())
    const call = await user.get<Failure>('/api/videos')
    await product.db.query('alter table videos rename column gone to poster_key')
    expect(response.status).toBe(200)
    expect(text).toContain('Failed to fetch videos')
    expect(text).toContain('Your videos are safe')
    expect(text).toContain('Total Videos 1 Completed 1')
    expect(text).toContain(`${user.username} User`)
    expect(create.status).toBe(200)
    expect(createText).toContain('Failed to fetch videos')
    expect(createText).toContain('Generate Video')
    expect(createText).toContain('videos remaining today')
    expect(call.status).toBe(500)
    expect(call.body.error).not.toContain('poster_key')
    expect(textOf(await pageOf(user, '/dashboard'))).not.toContain('Failed to fetch videos')
  })

  test('U-RETRY-2: without scripts a refusal is a toast with the server’s message', async () => {
    const user = await product.user()
    const [done] = await makeVideos(product, user.userId, [{}])
    const retry = { intent: 'retry', on: done!.id }
    const response = await submitForm(user, '/app', retry)
    expect(response.status).toBe(409)
    const text = textOf(await response.text())
    expect(text).toContain('Retry failed Only failed videos can be retried')
  })
})

describe('the calls', () => {
  test('U-API-1: returns the signed-in user, and 401 without the cookie', async () => {
    const user = await product.user({ role: 'editor', video_limit: 20 })
    const { status, body } = await user.get('/api/auth/me')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      username: user.username,
      role: 'editor',
      videosGeneratedThisMonth: 0,
      videoLimit: 20,
      expiryDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
    })
    expect((await product.client().get('/api/auth/me')).status).toBe(401)
  })

  test('U-API-15: one video with its current state, 304 until it changes', async () => {
    const user = await product.user()
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a boat' })
    const path = `/api/videos/${body.id}/status`
    const first = await user.get<VideoView>(path)
    expect(first.body).toMatchObject({ id: body.id, status: 'pending', prompt: 'a boat' })
    const known = { 'if-none-match': `"other", ${first.headers.get('etag')}` }
    expect((await user.get(path, known)).status).toBe(304)
    await user.call('DELETE', `/api/videos/${body.id}`)
    expect((await user.get(path, known)).status).toBe(404)
    expect((await (await product.user()).get(path)).status).toBe(404)
    expect((await user.get('/api/videos/none/status')).status).toBe(404)
  })

  test('U-API-17: a deleted video is gone; deleting it again, or another user’s, changes nothing', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const [one, two] = await makeVideos(product, user.userId, [{}, {}])
    const remove = (by: User, id: string) => by.call<Failure>('DELETE', `/api/videos/${id}`)
    expect(await remove(other, one!.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await remove(user, one!.id)).toMatchObject({ status: 200, body: { success: true } })
    expect((await remove(user, one!.id)).status).toBe(404)
    const { body } = await user.get<VideoPage>('/api/videos')
    expect(body.videos.map(({ id }) => id)).toEqual([two!.id])
    expect((await user.send('GET', `/media/${one!.id}.mp4`)).status).toBe(404)
  })

  test('U-API-18, U-API-19, U-RETRY-2, U-REGEN-2: only failed videos can be retried, only completed ones regenerated', async () => {
    const [user, other] = [await product.user(), await product.user()]
    const [failed, done] = await makeVideos(product, user.userId, [{ status: 'error' }, {}])
    const call = (by: User, id: string, action: string) =>
      by.post<VideoView & Failure>(`/api/videos/${id}/${action}`)
    for (const [action, wrong, right, refusal] of [
      ['retry', done!.id, failed!.id, 'Only failed videos can be retried'],
      ['regenerate', failed!.id, done!.id, 'Only completed videos can be regenerated'],
    ] as const) {
      expect((await call(other, right, action)).status).toBe(404)
      const state = (await user.get<VideoView>(`/api/videos/${wrong}/status`)).body.status
      const refused = await call(user, wrong, action)
      expect([refused.status, refused.body.error], state).toEqual([409, refusal])
      const taken = await call(user, right, action)
      expect(taken.status).toBe(202)
      expect(taken.body).toMatchObject({ id: right, status: 'pending', regenerateCount: 1 })
      expect((await call(user, right, action)).status).toBe(409)
    }
  })

  test('U-API-20: Retry All returns the number, and a message if none has failed', async () => {
    const user = await product.user({ video_limit: 10 })
    type Receipt = { message: string; count: number; batchId: string | null }
    const none = await user.post<Receipt>('/api/videos/retry-all-failed')
    expect([none.status, none.body]).toEqual([
      202,
      { message: 'No failed videos', count: 0, batchId: null },
    ])
    await makeVideos(product, user.userId, many(3, { status: 'error' } as const))
    const { status, body } = await user.post<Receipt>('/api/videos/retry-all-failed')
    expect(status).toBe(202)
    expect(body).toMatchObject({ count: 3, batchId: expect.any(String) as unknown })
    expect(body.message).toMatch(/^3 failed videos/)
    const { body: page } = await user.get<VideoPage>('/api/videos?status=pending')
    expect(page.videos).toHaveLength(3)
  })

  test('a cached list of one account is never confirmed to another in the same browser', async () => {
    const [user, other] = [await product.user(), await product.user()]
    for (const owner of [user, other]) await makeVideos(product, owner.userId, [{}])
    for (const path of ['/api/videos', '/api/videos/changes?since=0', '/api/batches']) {
      const first = await user.get(path)
      const known = { 'if-none-match': first.headers.get('etag') ?? '' }
      expect((await user.get(path, known)).status, path).toBe(304)
      expect((await other.get(path, known)).status, path).toBe(200)
    }
  })

  test('an administrator finds videos by a part of their owner’s name, page by page', async () => {
    const [admin, user] = [await product.user({ role: 'admin' }), await product.user()]
    await makeVideos(product, user.userId, [...many(3, {}), { status: 'error' }])
    const find = async (query: string) =>
      (await admin.get<VideoPage>(`/api/videos?search=${user.username.toUpperCase()}&${query}`))
        .body
    const all = await find('limit=10000')
    expect(all.pagination).toEqual({ page: 1, limit: 10000, totalPages: 1, totalCount: 4 })
    expect(all.videos.map((video) => video.user.username)).toEqual(many(4, user.username))
    const pages = [
      await find('limit=3'),
      await find('limit=3&page=2'),
      await find('limit=3&page=3'),
    ]
    expect(pages.flatMap(({ videos }) => videos)).toEqual(all.videos)
    expect((await find('status=error')).videos).toHaveLength(1)
    expect((await find('aspectRatio=landscape')).videos).toEqual([])
  })
})
