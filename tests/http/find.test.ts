import { afterEach, describe, expect, test } from 'vitest'
import { dayAfter } from '../../app/lib/day'
import { addVideos } from '../support/ended-videos'
import { cardsOf, textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { useInstallation } from '../support/shared-installation'
import { makeVideos, type VideoPage } from '../support/videos'

const product = useInstallation()

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const found = async (user: TestUser, query: string) => {
  const { body } = await user.get<VideoPage>(`/api/videos?${query}`)
  const { videos, pagination } = body
  expect(videos.length).toBe(pagination.totalCount)
  return videos.map(({ prompt }) => prompt)
}

describe('finding videos', () => {
  test('a search finds all of its words, in any order, whatever their case and accents', async () => {
    const user = await product.user()
    await makeVideos(
      product,
      user.userId,
      [
        'A fox in a field of wheat',
        'Wheat, 100% ripe; no_animals',
        'Un CHÂTEAU près de la forêt',
        'ایک لومڑی گندم کے کھیت میں',
      ].map((prompt) => ({ prompt })),
    )
    const find = (search: string) => found(user, new URLSearchParams({ search }).toString())
    expect(await find('wheat  FOX')).toEqual(['A fox in a field of wheat'])
    expect(await find('whe')).toHaveLength(2)
    expect(await find('fox boat')).toEqual([])
    expect(await find('100% ripe')).toEqual(['Wheat, 100% ripe; no_animals'])
    for (const none of ['1_0%', 'o_f', '\\']) expect(await find(none), none).toEqual([])
    for (const search of ['foret chateau', 'FORÊT', 'Pre\u0300s'])
      expect(await find(search), search).toEqual(['Un CHÂTEAU près de la forêt'])
    expect(await find('گندم لومڑی')).toHaveLength(1)
    expect(await find(' ')).toHaveLength(4)
    // Administrators search the prompts of all users in the same way.
    const admin = await product.user({ role: 'admin' })
    const words = new URLSearchParams({ words: 'wheat fox', user: user.userId })
    expect(await found(admin, words.toString())).toEqual(['A fox in a field of wheat'])
    const page = await (await admin.send('GET', `/admin/videos?${words}`)).text()
    expect(cardsOf(page)).toHaveLength(1)
  })

  test('C15: videos of today, yesterday, the last 7 days, this week, this month, and from one day to another', async () => {
    const user = await product.user()
    const { rows } = await product.db.query<{ day: string }>(
      `select (now() at time zone 'UTC')::date::text as day`,
    )
    const today = rows[0]?.day ?? ''
    const { userId } = user
    const at = (prompt: string, createdAt: string) =>
      addVideos(product, { userId, status: 'completed', prompt, createdAt: new Date(createdAt) })
    await at('early today', `${today}T00:00:00.000Z`)
    await at('late yesterday', `${dayAfter(today, -1)}T23:59:59.999Z`)
    await at('long ago', '2026-01-05T12:00:00Z')
    await at('the day after', '2026-01-06T00:00:00Z')
    await at('a week ago', `${dayAfter(today, -6)}T00:00:00.000Z`)
    await at('before that', `${dayAfter(today, -7)}T23:59:59.999Z`)
    expect(await found(user, 'days=today')).toEqual(['early today'])
    expect(await found(user, 'days=yesterday')).toEqual(['late yesterday'])
    expect(await found(user, 'days=7-days')).toEqual([
      'early today',
      'late yesterday',
      'a week ago',
    ])
    // What the spans contain besides depends on the day.
    for (const days of ['week', 'month']) {
      const prompts = await found(user, `days=${days}`)
      expect(prompts).toContain('early today')
      expect(prompts).not.toContain('long ago')
    }
    expect(await found(user, 'first=2026-01-05&last=2026-01-05')).toEqual(['long ago'])
    expect(await found(user, 'last=2026-01-06&first=')).toEqual(['the day after', 'long ago'])
    expect(await found(user, `first=${dayAfter(today, -1)}&search=YESTER`)).toEqual([
      'late yesterday',
    ])
    for (const query of ['first=2026-02-30', 'days=year', 'last=tomorrow', 'inOrder=1'])
      expect((await user.send('GET', `/api/videos?${query}`)).status, query).toBe(400)
    // A mistyped address still shows a page.
    const page = await (await user.send('GET', '/dashboard?first=2026-02-30&days=year')).text()
    expect(cardsOf(page)).toHaveLength(6)
    const ranged = await (await user.send('GET', '/app?last=2026-01-06&page=7')).text()
    expect(textOf(ranged)).toContain('Showing 1-2 of 2 videos')
    expect(textOf(ranged)).toContain('until 6 Jan')
    // Administrators list the videos of all users by day.
    const admin = await product.user({ role: 'admin' })
    expect(await found(admin, `user=${userId}&last=2026-01-05`)).toEqual(['long ago'])
    expect(await found(admin, `user=${userId}&days=yesterday`)).toEqual(['late yesterday'])
  })

  test('one batch is listed in the order of its prompts, and a chip leads back to all videos', async () => {
    const user = await product.user({ plan: 'Business', video_limit: 20 })
    await makeVideos(product, user.userId, [{ prompt: 'a single' }])
    const prompts = ['first of three', 'second of three', 'third of three']
    const started = await user.post<{ batchId: string }>('/api/videos/bulk-generate', { prompts })
    const { batchId } = started.body
    expect(await found(user, `inOrder=${batchId}`)).toEqual(prompts)
    expect(await found(user, `inOrder=${batchId}&search=second`)).toEqual(['second of three'])
    const pageOf = async () =>
      (await user.send('GET', `/dashboard?inOrder=${batchId}&search=three`)).text()
    expect(textOf(await pageOf())).toContain('No videos match these filters.')
    await product.db.query(`update videos set status = 'generating' where batch_id = $1`, [batchId])
    const page = await pageOf()
    await product.db.query(`update videos set status = 'pending' where batch_id = $1`, [batchId])
    expect(textOf(page)).toContain('Showing 1-3 of 3 videos')
    expect(page).toMatch(/href="\/dashboard\?search=three"[^>]*>One batch/)
    const other = await product.user()
    expect(await found(other, `inOrder=${batchId}`)).toEqual([])
  })
})
