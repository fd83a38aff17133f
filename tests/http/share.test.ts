import { afterEach, beforeAll, expect, test } from 'vitest'
import { addVideos } from '../support/ended-videos'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { stopClock, type StandingClock } from '../support/second-factor'
import { useInstallation } from '../support/shared-installation'
import { submitForm } from '../support/page'

const product = useInstallation()
let clock: StandingClock
beforeAll(async () => {
  clock = await stopClock(product.db)
})

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const LINK = /href="(\/shared\/[\w-]{43})"/

const linkIn = async (user: TestUser, page: string) =>
  LINK.exec(await (await user.send('GET', page)).text())?.[1]

/** A clip with a link to it, and the video's page. */
async function sharedClip(fields: Record<string, string> = {}) {
  const user = await product.user()
  const of = { userId: user.userId, status: 'completed', prompt: 'A <red> kite', withFiles: true }
  const [id = ''] = await addVideos(product, { ...of, status: 'completed' })
  const page = `/videos/${id}`
  const form = { intent: 'share', on: id, days: '7', ...fields }
  expect((await submitForm(user, page, form)).status).toBe(303)
  const link = await linkIn(user, page)
  return { user, id, page, link: link ?? '' }
}

const visit = async (address: string) => {
  const response = await product.client().send('GET', address)
  return { status: response.status, html: await response.text() }
}

test('issue 39.6: a link shows one clip to people without an account, and nothing else', async () => {
  const { user, link, page } = await sharedClip()
  const shown = await visit(link)
  expect(shown.status).toBe(200)
  expect(shown.html).not.toContain('kite')
  expect(shown.html).not.toContain(user.username)
  expect(shown.html).toContain('<meta name="robots" content="noindex"/>')
  expect(shown.html).toMatch(/<meta property="og:image" content="http[^"]*poster\.jpg"/)
  const clip = await product.client().send('GET', `${link}/clip.mp4`)
  expect([clip.status, clip.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(clip.headers.get('x-robots-tag')).toBe('noindex')
  expect((await product.client().send('GET', `${link}/poster.jpg`)).status).toBe(200)
  for (let i = 0; i < 2; i++) {
    const { headers } = await product.client().send('GET', `${link}/download`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="video.mp4"')
  }
  expect(textOf(await (await user.send('GET', page)).text())).toContain('2 downloads')
})

test('issue 49: a link counts downloads that begin, and nothing that only looks', async () => {
  const { user, link, page } = await sharedClip()
  const ask = async (headers: Record<string, string>, method = 'GET') => {
    const response = await product.client().send(method, `${link}/download`, { headers })
    await response.arrayBuffer()
    return response
  }
  const count = async () => {
    const text = textOf(await (await user.send('GET', page)).text())
    return Number(/(\d+) downloads?/.exec(text)?.[1] ?? 0)
  }
  const etag = (await ask({}, 'HEAD')).headers.get('etag') ?? ''
  // Without the second header Node's fetch asks for a fresh copy.
  const check = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  expect((await ask(check)).status).toBe(304)
  await ask({ 'sec-purpose': 'prefetch' })
  await ask({ purpose: 'prefetch' })
  await ask({ range: 'bytes=0-1' })
  await ask({ range: 'bytes=100-' })
  expect(await count()).toBe(0)
  expect((await ask({ range: 'bytes=0-' })).status).toBe(206)
  await ask({ range: 'bytes=0-65535' })
  await ask({})
  expect(await count()).toBe(3)
})

test('A12: the data of a shared page are kept as the page is', async () => {
  const { link } = await sharedClip()
  const cacheOf = async (address: string) =>
    (await product.client().send('GET', address)).headers.get('cache-control')
  const kept = await cacheOf(link)
  expect(kept).toBe('private, no-cache')
  const data = `${link}?_data=${encodeURIComponent('routes/_public+/shared.$token')}`
  expect(await cacheOf(data)).toBe(kept)
})

test('issue 39.6: the prompt is shown if the owner says so', async () => {
  const { link } = await sharedClip({ showsPrompt: 'on' })
  const { html } = await visit(link)
  expect(html).toContain('A &lt;red&gt; kite')
})

test('U-SHARE-1: a download is named after the prompt only where the link shows it', async () => {
  const savedAs = async (link: string) =>
    (await product.client().send('GET', `${link}/download`)).headers.get('content-disposition')
  const shown = await sharedClip({ showsPrompt: 'on' })
  expect(await savedAs(shown.link)).toBe('attachment; filename="a-red-kite.mp4"')
  const hidden = await sharedClip()
  const name = (one: { id: string }, text: string) =>
    product.db.query('update videos set clip_name = $2 where id = $1', [one.id, text])
  await name(shown, 'Chợ nổi')
  await name(hidden, 'Opening shot')
  expect(await savedAs(shown.link)).toBe(
    `attachment; filename="video.mp4"; filename*=UTF-8''${encodeURIComponent('chợ-nổi')}.mp4`,
  )
  expect(await savedAs(hidden.link)).toBe('attachment; filename="video.mp4"')
})

test('U-SHARE-2: whatever has ended a link, its page says the same, and that a new one can be made', async () => {
  const ended = await sharedClip()
  const deleted = await sharedClip()
  const timed = await sharedClip({ days: '1' })
  const token = ended.link.split('/')[2] ?? ''
  await submitForm(ended.user, ended.page, { intent: 'end-share', token })
  await deleted.user.call('DELETE', `/api/videos/${deleted.id}`)
  await clock.move(25 * 3600)
  const links = [ended.link, deleted.link, timed.link, '/shared/none', `/shared/${'x'.repeat(43)}`]
  const seen = new Set<string>()
  for (const link of links) {
    const { status, html } = await visit(link)
    expect([status, html.includes('<title>This link has ended')]).toEqual([404, true])
    const text = textOf(html)
    expect(text).toContain('It has expired or was ended, or its clip was deleted.')
    expect(text).toContain('Whoever sent it to you can make a new one.')
    seen.add(text)
  }
  expect(seen.size).toBe(1)
  // Also in place of a file, and of what no link ever led to.
  for (const address of [
    `${ended.link}/download`,
    `${ended.link}/clip.mp4`,
    '/shared/none/a/b/c',
  ]) {
    const response = await product
      .client()
      .send('GET', address, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
    const html = await response.text()
    expect(html).toContain('<title>This link has ended')
    expect(textOf(html)).toContain('Whoever sent it to you can make a new one.')
  }
  const elsewhere = await product.client().send('GET', '/nowhere/at-all')
  expect(await elsewhere.text()).toContain('<title>Page Not Found')
})

test('U-SHARE-3: where clips come from the preview renderer, the tick says that the picture has the prompt', async () => {
  const { user, id, page } = await sharedClip()
  const HINT =
    'Clips from the preview renderer show the prompt in the picture, whether or not this is ticked.'
  const { body } = await user.post<{ id: string }>('/api/collections', { name: 'Kites' })
  const collection = `/collections/${body.id}?collection=${body.id}`
  const hints = async () =>
    Promise.all(
      [page, collection].map(async (address) => {
        const text = textOf(await (await user.send('GET', address)).text())
        expect(text).toMatch(/Show the prompts?/)
        return text.includes(HINT)
      }),
    )
  expect(await hints()).toEqual([true, false])
  await user.post(`/api/collections/${body.id}/videos`, { videoIds: [id] })
  expect(await hints()).toEqual([true, true])
  await product.db.query(`update videos set model = 'veo-3.1' where id = $1`, [id])
  expect(await hints()).toEqual([false, false])
})

test('issue 39.6: a link ends when told, after its time, and with its video and its owner’s account', async () => {
  const gone = async (link: string) => {
    for (const file of ['', '/clip.mp4', '/poster.jpg', '/download'])
      expect((await visit(link + file)).status).toBe(404)
  }
  const told = await sharedClip()
  const token = told.link.split('/')[2] ?? ''
  await submitForm(told.user, told.page, { intent: 'end-share', token })
  await gone(told.link)
  const timed = await sharedClip({ days: '1' })
  const deleted = await sharedClip()
  const disabled = await sharedClip({ days: '' })
  await deleted.user.call('DELETE', `/api/videos/${deleted.id}`)
  await gone(deleted.link)
  expect((await visit(timed.link)).status).toBe(200)
  await clock.move(25 * 3600)
  await gone(timed.link)
  expect((await visit(disabled.link)).status).toBe(200)
  await product.db.query('update users set is_active = false where id = $1', [disabled.user.userId])
  await gone(disabled.link)
  await gone('/shared/none')
})

test('issue 39.6: a stranger neither makes nor ends links of others', async () => {
  const { link, page, id } = await sharedClip()
  const stranger = await product.user()
  const admin = await product.user({ role: 'admin' })
  expect((await stranger.send('GET', page)).status).toBe(404)
  const token = link.split('/')[2] ?? ''
  const own = await sharedClip()
  expect((await submitForm(own.user, own.page, { intent: 'end-share', token })).status).toBe(404)
  expect((await submitForm(admin, page, { intent: 'share', on: id, days: '7' })).status).toBe(404)
  expect((await visit(link)).status).toBe(200)
})

test('issue 39.6: at most twenty links work at a time; those that have ended do not count', async () => {
  const { user, id, page } = await sharedClip({ days: '1' })
  const form = { intent: 'share', on: id, days: '1' }
  const share = async () => (await submitForm(user, page, form)).status
  // Each like the one that its page has made.
  await product.db.query(
    `insert into share_links (token, video_id, shows_prompt, created_at, expires_at)
     select n || substr(token, 3), video_id, shows_prompt, created_at, expires_at
     from share_links, generate_series(10, 27) as n where video_id = $1`,
    [page.split('/')[2]],
  )
  expect(await share()).toBe(303)
  expect(await share()).toBe(409)
  await clock.move(25 * 3600)
  expect(await share()).toBe(303)
})
