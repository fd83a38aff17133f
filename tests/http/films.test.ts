import fs from 'node:fs/promises'
import path from 'node:path'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { afterEach, expect } from 'vitest'
import { z } from 'zod'
import { Client } from '../support/client'
import { addClips, drawClip } from '../support/film-clips'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { startWeb } from '../support/processes'
import { useInstallation } from '../support/shared-installation'
import { until } from '../support/wait'
import { slowTest, test } from '../support/slow'
import { submitForm } from '../support/page'

const product = useInstallation()
const hooks = ['--import', path.resolve('tests/support/kill-at.mjs')]
const FRAME = 1 / 24

afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const page = async (user: TestUser, address: string) => {
  const response = await user.send('GET', address)
  return { status: response.status, html: await response.text() }
}

const idsIn = (html: string) =>
  [...html.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id]) => id!)
const newFilm = (ids: readonly string[]) =>
  `/films/new?${new URLSearchParams(ids.map((id) => ['ids', id]))}`

type Fields = [name: string, value: string][]

/** Sends a form of a page as a browser without scripts does. */
async function send(user: TestUser, address: string, fields: Fields) {
  return submitForm(user, address, fields)
}

const joining = (ids: readonly string[], name = 'My film'): Fields => [
  ['intent', 'join'],
  ['name', name],
  ...ids.map((id): [string, string] => ['ids', id]),
]

const joinedPage = (ids: readonly string[], name = 'My film') =>
  `/films/joined?${new URLSearchParams({ ids: ids.join(','), name })}`

const ended = (user: Client, ids: readonly string[]) =>
  until('the film', async () => {
    const response = await user.send('GET', `/resources/films?ids=${ids.join(',')}`)
    const news = z
      .object({ state: z.string() })
      .passthrough()
      .parse(await response.json())
    return ['ready', 'failed'].includes(news.state) ? news : null
  })

/** Orders a film, and waits until it is joined. Returns its id. */
async function made(user: TestUser, ids: readonly string[]): Promise<string> {
  const response = await send(user, newFilm(ids), joining(ids))
  expect([response.status, response.headers.get('location')]).toEqual([303, joinedPage(ids)])
  const { filmId } = await ended(user, ids)
  return z.string().parse(filmId)
}

const bytesOf = async (user: Client, filmId: string) =>
  Buffer.from(await (await user.send('GET', `/films/${filmId}/film.mp4`)).arrayBuffer())

async function examine(bytes: Uint8Array) {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  const packets: string[] = []
  for await (const { data } of new EncodedPacketSink(track!).packets())
    packets.push(Buffer.from(data).toString('base64'))
  return { packets, seconds: await input.computeDuration() }
}

/** The stored files of a user's films. */
async function filesOf(userId: string): Promise<string[]> {
  const names = await fs.readdir(path.join(product.dataDir, 'videos'), { recursive: true })
  return names.filter((name) => name.includes(userId))
}

test('U-JOIN-5: chosen clips become one film, in the chosen order, and cost no quota', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{ seconds: 1 }, { seconds: 2 }, { seconds: 1 }])
  const before = await user.get('/api/auth/me')
  const chosen = await page(user, newFilm([...ids].reverse()))
  expect(idsIn(chosen.html)).toEqual(ids)
  expect(textOf(chosen.html)).toContain('3 clips · 0:04 ·')
  const order = [ids[1]!, ids[0]!, ids[2]!]
  const filmId = await made(user, order)
  const parts = await Promise.all(
    [2, 1, 1].map(async (seconds) => examine(await drawClip({ ratio: 'portrait', seconds }))),
  )
  const joined = await examine(await bytesOf(user, filmId))
  expect(joined.packets).toEqual(parts.flatMap(({ packets }) => packets))
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  expect(Math.abs(joined.seconds - seconds)).toBeLessThanOrEqual(FRAME)
  expect((await user.get('/api/auth/me')).body).toEqual(before.body)
  const shown = textOf((await page(user, joinedPage(order))).html)
  expect(shown).toContain('My film')
  expect(shown).toMatch(/3 clips · 0:04 · [\d.]+ (kB|MB)/)
  // In another order it is another film.
  expect(await made(user, ids)).not.toBe(filmId)
})

test('U-JOIN-6: a film is downloaded in parts, under its name, by its owner alone', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{}, {}])
  const filmId = await made(user, ids)
  const address = `/films/${filmId}/download?name=My+film`
  const part = await user.send('GET', address, { headers: { range: 'bytes=0-99' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
  expect(part.headers.get('content-disposition')).toBe('attachment; filename="my-film.mp4"')
  const etag = part.headers.get('etag') ?? ''
  const goesOn = async (version: string) => {
    const headers = { range: 'bytes=100-', 'if-range': version }
    return (await user.send('GET', address, { headers })).status
  }
  expect([await goesOn(etag), await goesOn('"another"')]).toEqual([206, 200])
  for (const file of ['other', 'poster.jpg'])
    expect((await user.send('GET', `/films/${filmId}/${file}`)).status).toBe(404)
  expect((await user.send('GET', `/films/x/film.mp4`)).status).toBe(404)
  for (const other of [await product.user(), await product.user({ role: 'admin' })]) {
    for (const file of ['film.mp4', 'download'])
      expect((await other.send('GET', `/films/${filmId}/${file}`)).status).toBe(404)
    expect((await page(other, joinedPage(ids))).status).toBe(404)
    expect((await other.send('GET', `/resources/films?ids=${ids.join(',')}`)).status).toBe(404)
  }
  const visitor = await product.client().send('GET', `/films/${filmId}/film.mp4`)
  expect(visitor.headers.get('location')).toMatch(/^\/login/)
})

test('U-JOIN-7: clips of two aspect ratios, one clip and too many are refused in words', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{}, { ratio: 'landscape' }])
  const refused = async (chosen: readonly string[], words: string) => {
    expect(textOf((await page(user, newFilm(chosen))).html)).toContain(words)
    const response = await send(user, newFilm(chosen.slice(0, 2)), joining(chosen))
    expect([response.status, textOf(await response.text())]).toEqual([
      400,
      expect.stringContaining(words),
    ])
  }
  await refused(ids, 'Clips of 9:16 and of 16:9 cannot be joined.')
  const [one = ''] = ids
  for (const chosen of [[one], [one, one]])
    await refused(
      chosen,
      'A film needs at least two different clips. Tick them in My Videos and press “Join”.',
    )
  const many = await addClips(
    product,
    user.userId,
    Array.from({ length: 51 }, () => ({})),
  )
  await refused(many, 'A film has at most 50 clips. You chose 51.')
  await product.db.query('update videos set file_bytes = 300000000 where id = any($1)', [
    many.slice(0, 2),
  ])
  await refused(many.slice(0, 2), 'A film can have at most 500 MB. These clips have 600 MB.')
})

test('U-JOIN-8: a clip of another user or a deleted one is not found', async () => {
  const user = await product.user()
  const other = await product.user()
  const [own = ''] = await addClips(product, user.userId, [{}])
  const [foreign = '', gone = ''] = await addClips(product, other.userId, [{}, {}])
  await other.call('DELETE', `/api/videos/${gone}`)
  const admin = await product.user({ role: 'admin' })
  for (const [who, ids] of [
    [user, [own, foreign]],
    [other, [foreign, gone]],
    [admin, [own, foreign]],
    [user, [own, 'x']],
  ] as const) {
    expect((await page(who, `/films/new?ids=${ids.join(',')}&sorted`)).status).toBe(
      ids.includes('x') ? 200 : 404,
    )
    expect((await send(who, '/films/new', joining(ids))).status).toBe(404)
    // A deleted clip of one's own is named where its film was ordered before.
    expect((await page(who, joinedPage(ids))).status).toBe(ids.includes(gone) ? 200 : 404)
  }
  for (const { userId } of [user, other, admin]) expect(await filesOf(userId)).toEqual([])
})

test('U-JOIN-9: clips with different settings fail in words, and so does a deleted clip', async () => {
  const user = await product.user()
  const [one = '', two = '', three = ''] = await addClips(product, user.userId, [
    {},
    { ratio: 'landscape' },
    { prompt: 'The <last> swan' },
  ])
  // A clip that says it has the ratio of the others.
  await product.db.query(`update videos set aspect_ratio = 'portrait' where id = $1`, [two])
  await send(user, newFilm([one, two]), joining([one, two]))
  expect(await ended(user, [one, two])).toEqual({
    state: 'failed',
    reason: 'These clips were made with different settings and cannot be joined without loss.',
  })
  await user.call('DELETE', `/api/videos/${three}`)
  expect(textOf((await page(user, joinedPage([one, three]))).html)).toContain(
    'A clip was deleted before it was joined: “The <last> swan”',
  )
  expect(await filesOf(user.userId)).toEqual([])
})

test('U-JOIN-10: the same form twice makes one film, and five are joined in an hour', async () => {
  const user = await product.user()
  const [a = '', b = '', c = ''] = await addClips(product, user.userId, [
    { seconds: 1 },
    { seconds: 2 },
    { seconds: 3 },
  ])
  const order = (ids: readonly string[]) => send(user, newFilm(ids), joining(ids))
  const twice = await Promise.all([order([a, b]), order([a, b])])
  expect(twice.map(({ status }) => status)).toEqual([303, 303])
  await ended(user, [a, b])
  expect(await filesOf(user.userId)).toHaveLength(1)
  const others = [
    [b, a],
    [a, c],
    [c, a],
    [b, c],
    [c, b],
  ]
  const results = await Promise.all(others.map(order))
  expect(results.filter(({ status }) => status === 303)).toHaveLength(4)
  const refused = results.find(({ status }) => status === 409)
  const words = 'You have joined 5 films in the last hour.'
  expect(textOf((await refused?.text()) ?? '')).toContain(words)
  expect(textOf((await page(user, joinedPage([a, b, c]))).html)).toContain(words)
  // Those that are there are found, and other users have their own five.
  expect((await order([a, b])).status).toBe(303)
  const other = await product.user()
  await made(other, await addClips(product, other.userId, [{}, {}]))
})

test('U-JOIN-24: the page of a film says how far it is, and asks again by itself', async () => {
  const user = await product.user()
  const many = await addClips(
    product,
    user.userId,
    Array.from({ length: 50 }, () => ({})),
  )
  await send(user, newFilm(many), joining(many))
  const early = await page(user, joinedPage(many))
  expect(textOf(early.html)).toMatch(/\d+ of 50 clips joined/)
  expect(early.html).toContain('http-equiv="refresh"')
  await ended(user, many)
  const late = await page(user, joinedPage(many))
  expect(textOf(late.html)).toContain('it is kept for an hour')
  expect(late.html).not.toContain('http-equiv="refresh"')
})

test('U-JOIN-11: the order is changed by numbers and by buttons, without scripts', async () => {
  const user = await product.user()
  const [a = '', b = '', c = ''] = await addClips(product, user.userId, [{}, {}, {}])
  const reorder = async (from: string, places: string[], move?: string) => {
    const { html } = await page(user, from)
    const fields: Fields = [
      ...idsIn(html).map((id): [string, string] => ['ids', id]),
      ...places.map((place): [string, string] => ['place', place]),
      ['name', 'Ten & one'],
      ...(move === undefined ? [] : [['move', move] as [string, string]]),
      ['intent', 'order'],
    ]
    const response = await send(user, from, fields)
    expect(response.status).toBe(303)
    return response.headers.get('location') ?? ''
  }
  const shown = async (address: string) => {
    const { html } = await page(user, address)
    expect(html).toContain('value="Ten &amp; one"')
    return idsIn(html)
  }
  const first = await reorder(newFilm([a, b, c]), ['3', '1', '2'])
  expect(await shown(first)).toEqual([b, c, a])
  const second = await reorder(first, ['1', '2', '3'], 'up 3')
  expect(await shown(second)).toEqual([b, a, c])
  const third = await reorder(second, ['1', '2', '3'], 'down 1')
  expect(await shown(third)).toEqual([a, b, c])
  expect(await shown(await reorder(third, ['1', '', 'x'], 'up 1'))).toEqual([a, b, c])
  const fields = joining([a, b, c], 'Ten & one')
  for (const place of ['2', '3', '1']) fields.push(['place', place])
  const response = await send(user, third, fields)
  expect(response.headers.get('location')).toBe(joinedPage([c, a, b], 'Ten & one'))
})

/** Starts a second web server beside the first one. Returns what talks to it as a user. */
async function beside(user: TestUser, env: Record<string, string> = {}, nodeArgs: string[] = []) {
  const web = await startWeb({ ...product.env, ...env }, { nodeArgs })
  const client = new Client(web.url)
  for (const { name, value } of user.cookies()) client.keep(`${name}=${value}`)
  return { web, client }
}

test('U-JOIN-18: two web servers join the same clips to one file, and either continues a download', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{ seconds: 1 }, { seconds: 2 }])
  const { web, client } = await beside(user)
  await Promise.all([user, client].map((who) => who.send('GET', joinedPage(ids))))
  const [one, other] = [await ended(user, ids), await ended(client, ids)]
  expect(one).toEqual(other)
  expect(await filesOf(user.userId)).toHaveLength(1)
  const filmId = z.string().parse(one.filmId)
  const whole = await bytesOf(user, filmId)
  const address = `/films/${filmId}/download`
  const first = await user.send('GET', address, { headers: { range: 'bytes=0-999' } })
  // Gone meanwhile, and joined again by the other one.
  const [file = ''] = await filesOf(user.userId)
  await fs.rm(path.join(product.dataDir, 'videos', file))
  await ended(client, ids)
  const headers = { range: 'bytes=1000-', 'if-range': first.headers.get('etag') ?? '' }
  const rest = await client.send('GET', address, { headers })
  expect(rest.status).toBe(206)
  const parts = [await first.arrayBuffer(), await rest.arrayBuffer()].map((part) =>
    Buffer.from(part),
  )
  expect(Buffer.concat(parts).equals(whole)).toBe(true)
  await web.stop()
})

slowTest.each([
  ['when its clips are joined', 'before:videos\\.purge'],
  ['just before the file is stored', 'after:videos\\.purge'],
])(
  'U-JOIN-12: a web server is killed %s: the page begins again, and there is one file',
  async (_, killAt) => {
    const user = await product.user()
    const ids = await addClips(product, user.userId, [{}, {}])
    const { web, client } = await beside(user, { KILL_AT: killAt }, hooks)
    await client.send('GET', joinedPage(ids))
    expect(await web.ended).toBeNull()
    expect(await filesOf(user.userId)).toEqual([])
    expect(await ended(user, ids)).toMatchObject({ state: 'ready' })
    expect(await filesOf(user.userId)).toHaveLength(1)
  },
)
