import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addVideos } from '../support/ended-videos'
import { cardsOf, textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm, submitForm } from '../support/page'
import { stopClock, type StandingClock } from '../support/second-factor'
import { useInstallation } from '../support/shared-installation'
import { makeVideos, type VideoPage } from '../support/videos'
import { readZipFile } from '../support/zip'

const product = useInstallation()
let clock: StandingClock
beforeAll(async () => {
  clock = await stopClock(product.db)
})

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type Named = { id: string; name: string }
type Added = { added: number; already: number; unfinished: number }

const clips = async (user: TestUser, ...prompts: string[]) =>
  (
    await makeVideos(
      product,
      user.userId,
      prompts.map((prompt) => ({ prompt })),
    )
  ).map(({ id }) => id)

const create = async (user: TestUser, name: string) => {
  const { status, body } = await user.post<Named>('/api/collections', { name })
  expect(status).toBe(201)
  return body.id
}
const add = (user: TestUser, id: string, videoIds: readonly string[]) =>
  user.post<Added>(`/api/collections/${id}/videos`, { videoIds })
const names = async (user: TestUser) =>
  (await user.get<{ collections: Named[] }>('/api/collections')).body.collections.map(
    ({ name }) => name,
  )
const listed = async (user: TestUser, id: string) =>
  (await user.get<VideoPage>(`/api/videos?collection=${id}`)).body.videos
    .map(({ prompt }) => prompt)
    .sort()
const pageOf = (id: string) => `/collections/${id}?collection=${id}`

/** A user with three clips, two of which are in a collection. */
async function kites() {
  const user = await product.user()
  const [one = '', two = '', three = ''] = await clips(user, 'one', 'two', 'three')
  const id = await create(user, 'Kites')
  expect((await add(user, id, [one, two])).status).toBe(200)
  return { user, id, one, two, three }
}

describe('collections', () => {
  test('U-COLL-1: the collections and clips of others are not found', async () => {
    const { user, id, one } = await kites()
    const stranger = await product.user()
    const admin = await product.user({ role: 'admin', expiry_date: null })
    for (const other of [stranger, admin]) {
      const own = await create(other, 'Mine')
      const [theirs = ''] = await clips(other, 'theirs')
      const answers = await Promise.all([
        other.call('PATCH', `/api/collections/${id}`, { name: 'Taken' }),
        other.call('DELETE', `/api/collections/${id}`),
        add(other, id, [theirs]),
        other.call('DELETE', `/api/collections/${id}/videos`, { videoIds: [one] }),
        add(other, own, [one]),
        add(other, own, [theirs, one]),
      ])
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
      expect((await other.send('GET', pageOf(id))).status).toBe(404)
      expect(await listed(other, own)).toEqual([])
      const form = { intent: 'collect-selected', choice: 'selected', into: id, ids: [theirs] }
      expect((await sendForm(other, '/dashboard', form)).status).toBe(404)
      const out = { intent: 'uncollect-selected', choice: 'selected', outOf: id, ids: [theirs] }
      expect((await sendForm(other, '/dashboard', out)).status).toBe(404)
      const shared = await sendForm(other, pageOf(own), { intent: 'share-collection', days: '7' })
      expect(shared.status).toBe(303)
      const rename = { intent: 'rename-collection', on: id, name: 'Taken' }
      expect((await sendForm(other, '/collections', rename)).status).toBe(404)
      expect((await openPage(other, '/collections')).text).not.toContain('Kites')
    }
    expect((await stranger.get<VideoPage>(`/api/videos?collection=${id}`)).body.videos).toEqual([])
    expect((await stranger.send('GET', `/api/videos/archive?collection=${id}`)).status).toBe(404)
    expect(await names(user)).toEqual(['Kites'])
    expect(await listed(user, id)).toEqual(['one', 'two'])
  })

  test('U-COLL-2: a clip is in a collection once, and in several collections; unfinished videos are left out', async () => {
    const { user, id, one, two, three } = await kites()
    const [failed = ''] = await addVideos(product, { userId: user.userId, status: 'error' })
    const again = await add(user, id, [one, one, three, failed])
    expect(again.body).toEqual({ added: 1, already: 1, unfinished: 1 })
    expect((await add(user, id, [failed])).status).toBe(409)
    const other = await create(user, 'Boats')
    await add(user, other, [one])
    expect([await listed(user, id), await listed(user, other)]).toEqual([
      ['one', 'three', 'two'],
      ['one'],
    ])
    const { text } = await openPage(user, `/videos/${one}`)
    expect(text).toMatch(/Collections Boats .*Kites/)
    const removed = await user.call('DELETE', `/api/collections/${id}/videos`, {
      videoIds: [one, two, failed],
    })
    expect(removed.body).toEqual({ removed: 2 })
    expect([await listed(user, id), await listed(user, other)]).toEqual([['three'], ['one']])
    expect((await user.get<VideoPage>('/api/videos')).body.pagination.totalCount).toBe(4)
  })

  test('U-COLL-14: the feed tells other tabs that a clip came or left, and of nothing that changed nothing', async () => {
    const { user, id, one, three } = await kites()
    const feed = async (since: number) =>
      (
        await user.get<{ version: number; videos: { id: string }[] }>(
          `/api/videos/changes?since=${since}`,
        )
      ).body
    const take = (videoIds: string[]) =>
      user.call('DELETE', `/api/collections/${id}/videos`, { videoIds })
    const { version: before } = await feed(0)
    await add(user, id, [one])
    await take([three])
    expect(await feed(before)).toMatchObject({ version: before, videos: [] })
    await add(user, id, [one, three])
    const added = await feed(before)
    expect(added.videos).toMatchObject([{ id: three }])
    await take([one, three])
    expect((await feed(added.version)).videos).toHaveLength(1)
  })

  test('U-COLL-3: a name is 1 to 60 characters, on one line, and unique whatever its case', async () => {
    const user = await product.user()
    expect(
      (await user.post<Named>('/api/collections', { name: '  Blue \n kites ' })).body,
    ).toMatchObject({
      name: 'Blue kites',
    })
    const refused = async (name: unknown) => (await user.post('/api/collections', { name })).status
    expect(await refused('BLUE KITES')).toBe(409)
    expect(await refused('Überblick')).toBe(201)
    expect(await refused('üBERBLICK')).toBe(409)
    for (const bad of ['', ' \u200b ', 'x'.repeat(61), 'a\u0000b', 7])
      expect(await refused(bad)).toBe(400)
    expect(await refused('x'.repeat(60))).toBe(201)
    expect(
      (await (await product.user()).post('/api/collections', { name: 'blue kites' })).status,
    ).toBe(201)
    const id = await create(user, 'Boats')
    const rename = (name: string) => user.call('PATCH', `/api/collections/${id}`, { name })
    expect([(await rename('blue Kites')).status, (await rename('BOATS')).status]).toEqual([
      409, 200,
    ])
    const shown = await sendForm(user, `/collections?dialog=rename-collection&on=${id}`, {
      intent: 'rename-collection',
      on: id,
      name: 'Blue kites',
    })
    expect([shown.status, shown.text.includes('You have a collection named “Blue kites”')]).toEqual(
      [409, true],
    )
  })

  test('U-COLL-3: a name has no characters that turn round the words beside it', async () => {
    const user = await product.user()
    await create(user, '\u202e\u2066etiK\u2069s\u202c')
    expect(await names(user)).toEqual(['etiKs'])
  })

  test('issue 49: names that look the same are the same name', async () => {
    const user = await product.user()
    await create(user, 'Ki\u200bt\u00ades\ufeff')
    expect(await names(user)).toEqual(['Kites'])
    for (const name of ['Kites', 'Kit\u2060es', 'Kites\u200d', '\u200cKites', 'Ki\u200dtes'])
      expect((await user.post('/api/collections', { name })).status).toBe(409)
    // These join and part letters and signs that would look otherwise.
    await create(user, 'می\u200cخواهم')
    await create(user, '👩\u200d🚀')
    expect(await names(user)).toEqual(['Kites', 'می\u200cخواهم', '👩\u200d🚀'])
  })

  test('U-COLL-4: the limits hold whatever is sent at once', async () => {
    const user = await product.user()
    await product.db.query(
      `insert into collections (id, user_id, name, name_key, created_at)
       select gen_random_uuid(), $1, n, n, now() from (select 'c' || generate_series(1, 98) as n) as given`,
      [user.userId],
    )
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => user.post('/api/collections', { name: `More ${n}` })),
    )
    expect(made.map(({ status }) => status).sort()).toEqual([
      201,
      201,
      ...Array<number>(6).fill(409),
    ])
    expect(await names(user)).toHaveLength(100)

    const { rows } = await product.db.query<{ id: string }>(
      `select id from collections where user_id = $1 limit 1`,
      [user.userId],
    )
    const id = rows[0]?.id ?? ''
    const ids = await addVideos(product, { userId: user.userId, status: 'completed', n: 1010 })
    expect((await add(user, id, ids.slice(0, 995))).status).toBe(200)
    const rest = await Promise.all(ids.slice(995).map((one) => add(user, id, [one])))
    expect(rest.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(rest.filter(({ status }) => status === 409)).toHaveLength(10)
    const full = await user.get<VideoPage>(`/api/videos?collection=${id}&limit=1`)
    expect(full.body.pagination.totalCount).toBe(1000)
    // All or none.
    expect((await add(user, id, ids.slice(20))).status).toBe(409)
    expect(
      (await user.get<VideoPage>(`/api/videos?collection=${id}&limit=1`)).body.pagination
        .totalCount,
    ).toBe(1000)
    const other = await product.user()
    const same = await Promise.all(
      [1, 2, 3, 4].map(() => other.post('/api/collections', { name: 'Once' })),
    )
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  test('U-COLL-5: a deleted clip is not shown, a restored one is back; deleting a collection deletes no clip', async () => {
    const { user, id, one } = await kites()
    const counted = async () =>
      /Kites (\d+ clips?)/.exec((await openPage(user, '/collections')).text)?.[1]
    expect(await counted()).toBe('2 clips')
    await user.call('DELETE', `/api/videos/${one}`)
    expect([await listed(user, id), await counted()]).toEqual([['two'], '1 clip'])
    await user.post('/api/videos/deleted', { videoIds: [one] })
    expect([await listed(user, id), await counted()]).toEqual([['one', 'two'], '2 clips'])
    const asked = await openPage(user, `/collections?dialog=delete-collection&on=${id}`)
    expect(asked.text).toContain('Its clips stay in My Videos.')
    const deleted = await sendForm(user, '/collections', { intent: 'delete-collection', on: id })
    expect(deleted.text).toContain('Collection deleted')
    expect(await names(user)).toEqual([])
    expect((await user.send('GET', pageOf(id))).status).toBe(404)
    expect((await user.get<VideoPage>('/api/videos')).body.pagination.totalCount).toBe(3)
  })

  test('U-COLL-6: its ZIP and its prompts are in the order of adding, without deleted clips', async () => {
    const { user, id, one, three } = await kites()
    await clock.move(1)
    await add(user, id, [three])
    await user.call('DELETE', `/api/collections/${id}/videos`, { videoIds: [one] })
    await clock.move(1)
    await add(user, id, [one])
    const { html } = await openPage(user, pageOf(id))
    const link = (path: string) =>
      new RegExp(`href="(${path}[^"]+)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const zip = async () => {
      const response = await user.send('GET', link('/api/videos/archive'))
      const files = await readZipFile(Buffer.from(await response.arrayBuffer()))
      return [...files.keys()].map((name) => name.replace(/^\d+_/, ''))
    }
    expect(await zip()).toEqual([
      'prompts.csv',
      'posting-list.csv',
      'two.mp4',
      'three.mp4',
      'one.mp4',
    ])
    const prompts = await (await user.send('GET', link('/resources/prompts'))).text()
    expect(prompts.match(/two|three|one/g)).toEqual(['two', 'three', 'one'])
    await user.call('DELETE', `/api/videos/${three}`)
    expect(await zip()).toEqual(['prompts.csv', 'posting-list.csv', 'two.mp4', 'one.mp4'])
  })

  test('U-COLL-17: its ZIP has its name, and its files are numbered by their places in it', async () => {
    const user = await product.user()
    const [one = '', two = '', three = ''] = await clips(user, 'one', 'two', 'three')
    const load = async (query: string, headers: Record<string, string> = {}) => {
      const response = await user.send('GET', `/api/videos/archive?${query}`, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const fileNames = async (query: string) =>
      [...(await readZipFile((await load(query)).bytes)).keys()].slice(2)
    // They have had their permanent numbers before.
    const all = ['0001_one.mp4', '0002_two.mp4', '0003_three.mp4']
    expect(await fileNames('')).toEqual(all)
    const id = await create(user, 'Summer & co')
    for (const clip of [three, one, two]) {
      await add(user, id, [clip])
      await clock.move(1)
    }
    const zip = await load(`collection=${id}&status=completed`)
    expect(zip.response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="summer-co-\d{4}-\d\d-\d\d\.zip"$/,
    )
    const files = await readZipFile(zip.bytes)
    const placed = ['0001_three.mp4', '0002_one.mp4', '0003_two.mp4']
    expect([...files.keys()]).toEqual(['prompts.csv', 'posting-list.csv', ...placed])
    const [, ...lines] = String(files.get('prompts.csv')).trimEnd().split('\n')
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual(
      placed.map((name, index) => [String(index + 1), name]),
    )
    // A filter leaves the places, all other archives the permanent numbers.
    expect(await fileNames(`collection=${id}&search=two`)).toEqual(['0003_two.mp4'])
    expect(await fileNames(`ids=${two},${three}`)).toEqual(['0002_two.mp4', '0003_three.mp4'])
    // It is continued where it was interrupted, unless its files have other numbers by then.
    const range = { range: 'bytes=100-', 'if-range': zip.response.headers.get('etag') ?? '' }
    const rest = await load(`collection=${id}&status=completed`, range)
    expect([rest.response.status, rest.bytes]).toEqual([206, zip.bytes.subarray(100)])
    await user.call('DELETE', `/api/videos/${three}`)
    expect((await load(`collection=${id}&status=completed`, range)).response.status).toBe(200)
    expect(await fileNames(`collection=${id}`)).toEqual(['0001_one.mp4', '0002_two.mp4'])
    await user.call('PATCH', `/api/collections/${id}`, { name: 'Mùa hè' })
    expect((await load(`collection=${id}`)).response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="videos-(.{10})\.zip"; filename\*=UTF-8''m%C3%B9a-h%C3%A8-\1\.zip$/,
    )
  })

  test('U-COLL-7: without scripts clips are ticked, added to a new collection, listed and taken out', async () => {
    const user = await product.user()
    const [one = '', two = ''] = await clips(user, 'one', 'two', 'three')
    const ids = [one, two].map((id) => `ids=${id}`).join('&')
    const dialog = `/dashboard?dialog=collect-selected&${ids}`
    const asked = await openPage(user, dialog)
    expect(asked.text).toContain('Add 2 videos to a collection')
    expect(asked.text).toContain('Star a clip to keep it.')
    const chosen = {
      intent: 'collect-selected',
      choice: 'selected',
      scope: 'mine',
      ids: [one, two],
    }
    const nothing = await sendForm(user, dialog, { ...chosen, into: '', name: '' })
    expect([nothing.status, nothing.text.includes('Choose a collection or enter a name')]).toEqual([
      400,
      true,
    ])
    const added = await sendForm(user, dialog, { ...chosen, into: '', name: 'Kites' })
    expect(added.text).toContain('2 clips added')
    expect((await openPage(user, dialog)).html).toMatch(/<option value="[\w-]{36}">Kites</)
    // The same name is the same collection.
    const again = await sendForm(user, dialog, { ...chosen, into: '', name: 'KITES' })
    expect(again.text).toContain('2 were in it before.')
    const list = await openPage(user, '/collections')
    const id = /href="\/collections\/([\w-]{36})\?/.exec(list.html)?.[1] ?? ''
    const bare = await user.send('GET', `/collections/${id}?status=completed`)
    const address = bare.headers.get('location') ?? ''
    expect([bare.status, address]).toEqual([
      302,
      `/collections/${id}?status=completed&collection=${id}`,
    ])
    const page = await openPage(user, pageOf(id))
    expect(cardsOf(page.html)).toHaveLength(2)
    // All that match are those of the collection, never all videos.
    const all = await openPage(user, `${pageOf(id)}&select=2100-01-01T00:00:00.000Z`)
    expect(all.html).toContain(`name="collection" value="${id}"`)
    const out = await openPage(user, `${pageOf(id)}&dialog=uncollect-selected&ids=${one}`)
    expect(out.text).toContain('Remove 1 clip from this collection?')
    expect(out.html).toContain(`name="outOf" value="${id}"`)
    const removed = await sendForm(user, pageOf(id), {
      intent: 'uncollect-selected',
      choice: 'selected',
      outOf: id,
      ids: [one],
    })
    expect(removed.text).toContain('1 clip removed')
    expect(cardsOf(removed.html)).toHaveLength(1)
    const video = `/videos/${one}`
    const back = await sendForm(user, video, { intent: 'collect', into: id })
    expect([back.location, back.text.includes('1 clip added')]).toEqual([
      `${video}#collections`,
      true,
    ])
    const gone = await sendForm(user, video, { intent: 'uncollect', outOf: id })
    expect(gone.text).toContain('Clip removed')
    expect(await listed(user, id)).toEqual(['two'])
  })
})

const LINK = /href="(\/shared\/[\w-]{43})"/

/** A collection of two clips with a link to it. */
async function shared(fields: Record<string, string> = {}) {
  const user = await product.user()
  const of = { userId: user.userId, status: 'completed' as const, withFiles: true }
  const [one = ''] = await addVideos(product, { ...of, prompt: 'A <red> kite' })
  const [two = ''] = await addVideos(product, { ...of, prompt: 'A boat' })
  const [three = ''] = await addVideos(product, { ...of, prompt: 'A train' })
  const id = await create(user, 'Summer & co')
  await add(user, id, [one, two])
  await sendForm(user, pageOf(id), { intent: 'share-collection', days: '7', ...fields })
  const { html } = await openPage(user, pageOf(id))
  return { user, id, one, two, three, link: LINK.exec(html)?.[1] ?? '' }
}

const visit = async (address: string) => {
  const response = await product.client().send('GET', address)
  return { status: response.status, headers: response.headers, html: await response.text() }
}

describe('shared collections', () => {
  test('U-COLL-8: a link lists what is in a collection now, and nothing else', async () => {
    const { user, id, one, two, three, link } = await shared()
    await add(user, await create(user, 'Another one'), [three])
    const page = await visit(link)
    expect(page.status).toBe(200)
    expect(page.html).toContain('<meta name="robots" content="noindex"/>')
    expect(page.html).toContain('<meta property="og:title" content="Summer &amp; co"/>')
    expect(page.html).toMatch(/<meta property="og:image" content="http[^"]*poster\.jpg"/)
    expect(page.html).not.toContain('kite')
    expect(page.html).not.toContain(user.username)
    const shows = async () => {
      const { html } = await visit(link)
      return [one, two, three].map((clip) => html.includes(`${link}/${clip}/download`))
    }
    expect(await shows()).toEqual([true, true, false])
    const player = await visit(`${link}?clip=${one}`)
    expect(player.html).toContain(`${link}/${one}/clip.mp4`)
    for (const file of ['clip.mp4', 'poster.jpg', 'poster.webp', 'download']) {
      const { status, headers } = await visit(`${link}/${one}/${file}`)
      expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    }
    for (const bad of [`${three}/clip.mp4`, `${one}/other`, 'none/clip.mp4', 'clip.mp4'])
      expect((await visit(`${link}/${bad}`)).status).toBe(404)
    expect((await visit(`${link}?clip=${three}`)).status).toBe(404)
    expect((await openPage(user, pageOf(id))).text).toContain('1 download')
    await add(user, id, [three])
    await user.call('DELETE', `/api/collections/${id}/videos`, { videoIds: [one] })
    expect(await shows()).toEqual([false, true, true])
    expect((await visit(`${link}/${one}/clip.mp4`)).status).toBe(404)
    await user.call('DELETE', `/api/videos/${two}`)
    expect(await shows()).toEqual([false, false, true])
  })

  test('U-COLL-9: the prompts are shown if the owner says so', async () => {
    const { link, one } = await shared({ showsPrompt: 'on' })
    for (const address of [link, `${link}?clip=${one}`])
      expect((await visit(address)).html).toContain('A &lt;red&gt; kite')
  })

  test('U-COLL-16: a shared clip is saved under its prompt if it is shown, otherwise under its place', async () => {
    const saved = async ({ link, one, two }: { link: string; one: string; two: string }) =>
      Promise.all(
        [one, two].map(async (clip) => {
          const { headers } = await visit(`${link}/${clip}/download`)
          return /^attachment; filename="([^"]+)"$/.exec(
            headers.get('content-disposition') ?? '',
          )?.[1]
        }),
      )
    const inOrder = async (fields: Record<string, string>) => {
      const made = await shared(fields)
      const { user, id, one } = made
      await clock.move(1)
      await user.call('DELETE', `/api/collections/${id}/videos`, { videoIds: [one] })
      await add(user, id, [one])
      return made
    }
    const shown = await inOrder({ showsPrompt: 'on' })
    expect(await saved(shown)).toEqual(['0002_a-red-kite.mp4', '0001_a-boat.mp4'])
    const hidden = await inOrder({})
    expect(await saved(hidden)).toEqual(['video-2.mp4', 'video-1.mp4'])
    const { html } = await visit(hidden.link)
    expect(html.match(/aria-label="Download: [^"]+"/g)).toEqual([
      'aria-label="Download: Clip 1"',
      'aria-label="Download: Clip 2"',
    ])
    await hidden.user.call('DELETE', `/api/videos/${hidden.two}`)
    expect((await saved(hidden))[0]).toBe('video-1.mp4')
  })

  test('U-COLL-10: a link ends when told, after its time, and with its collection and the account', async () => {
    const gone = async ({ link, one }: { link: string; one: string }) => {
      for (const place of ['', `?clip=${one}`, `/${one}/clip.mp4`, `/${one}/download`])
        expect((await visit(link + place)).status).toBe(404)
      expect((await visit(link)).html).toContain('<title>This link has ended')
      expect((await visit(`${link}?clip=${one}`)).html).toContain('<title>This link has ended')
    }
    const told = await shared()
    const stranger = await shared()
    const token = told.link.split('/')[2] ?? ''
    const end = { intent: 'end-share', token }
    expect((await sendForm(stranger.user, pageOf(stranger.id), end)).status).toBe(404)
    expect((await visit(told.link)).status).toBe(200)
    expect((await sendForm(told.user, pageOf(told.id), end)).status).toBe(303)
    await gone(told)
    const timed = await shared({ days: '1' })
    const kept = await shared({ days: '' })
    const deleted = await shared({ days: '' })
    await clock.move(25 * 3600)
    await gone(timed)
    expect((await visit(kept.link)).status).toBe(200)
    await deleted.user.call('DELETE', `/api/collections/${deleted.id}`)
    await gone(deleted)
    await product.db.query('update users set is_active = false where id = $1', [kept.user.userId])
    await gone(kept)
  })

  test('U-COLL-13: a stranger makes no link to the collection of another user', async () => {
    const { id, user } = await shared()
    const stranger = await product.user()
    const form = { intent: 'share-collection', days: '7' }
    const refused = await submitForm(stranger, pageOf(id), form, { shown: '/collections' })
    expect(refused.status).toBe(404)
    const { rows } = await product.db.query(
      `select 1 from share_links join collections on collections.id = collection_id where user_id = $1`,
      [user.userId],
    )
    expect(rows).toHaveLength(1)
  })

  test('U-COLL-11: a page has 60 clips, and a cursor leads to the next ones', async () => {
    const { user, id, link } = await shared()
    const ids = await addVideos(product, { userId: user.userId, status: 'completed', n: 100 })
    await add(user, id, ids)
    const clipsIn = (html: string) =>
      [...html.matchAll(/\/([\w-]{36})\/download"/g)].map(([, one]) => one)
    const first = await visit(link)
    const next = /href="(\/shared\/[\w-]+\?after=[^"]+)"/.exec(first.html)?.[1] ?? ''
    const second = await visit(next)
    expect([clipsIn(first.html).length, clipsIn(second.html).length]).toEqual([60, 42])
    expect(new Set([...clipsIn(first.html), ...clipsIn(second.html)]).size).toBe(102)
    expect(second.html).toContain('aria-label="Download: Clip 61"')
    expect(second.html).not.toContain('More clips')
    expect((await visit(`${link}?after=nonsense`)).status).toBe(200)
    expect(textOf(second.html)).toContain('First clips')
  })
})
