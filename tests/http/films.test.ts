import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { afterEach, expect } from 'vitest'
import { addClips, drawClip } from '../support/film-clips'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
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

const joining = (
  ids: readonly string[],
  filmId: string = randomUUID(),
  name = 'My film',
): Fields => [
  ['intent', 'join'],
  ['filmId', filmId],
  ['name', name],
  ...ids.map((id): [string, string] => ['ids', id]),
]

type Row = {
  state: string
  reason: string | null
  file_key: string | null
  file_sha256: string | null
  clips_done: number
}
async function filmOf(id: string): Promise<Row | undefined> {
  const { rows } = await product.db.query<Row>('select * from films where id = $1', [id])
  return rows[0]
}
const ended = (id: string) =>
  until('the film', async () => {
    const film = await filmOf(id)
    return film && ['ready', 'failed'].includes(film.state) ? film : null
  })

/** Starts a film and lets a worker make it. */
async function made(user: TestUser, ids: readonly string[], filmId: string = randomUUID()) {
  expect((await send(user, newFilm(ids), joining(ids, filmId))).status).toBe(303)
  const worker = await product.startWorker()
  const film = await ended(filmId)
  await worker.stop()
  return { filmId, film }
}

async function examine(bytes: Uint8Array) {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  let packets = 0
  for await (const _ of new EncodedPacketSink(track!).packets()) packets++
  return { packets, seconds: await input.computeDuration() }
}

/** All stored files that belong to a film: its clip, and its posters. */
async function filesOf(filmId: string): Promise<string[]> {
  const names = await fs.readdir(path.join(product.dataDir, 'videos'), { recursive: true })
  return names.filter((name) => name.includes(filmId))
}
const clipsOf = async (filmId: string) =>
  (await filesOf(filmId)).filter((name) => name.endsWith('.mp4'))

test('U-JOIN-5: chosen clips become one film, in the chosen order, and cost no quota', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{ seconds: 1 }, { seconds: 2 }, { seconds: 1 }])
  const before = await user.get('/api/auth/me')
  const chosen = await page(user, newFilm([...ids].reverse()))
  expect(idsIn(chosen.html)).toEqual(ids)
  expect(textOf(chosen.html)).toContain('3 clips · 0:04 min')
  const order = [ids[1]!, ids[0]!, ids[2]!]
  const { filmId, film } = await made(user, order)
  expect(film).toMatchObject({ state: 'ready', clips_done: 3 })
  const { rows } = await product.db.query<{ video_id: string }>(
    'select video_id from film_clips where film_id = $1 order by place',
    [filmId],
  )
  expect(rows.map(({ video_id }) => video_id)).toEqual(order)
  const response = await user.send('GET', `/films/${filmId}/film.mp4`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('video/mp4')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(film.file_sha256)
  const parts = await Promise.all(
    [1, 2, 1].map(async (seconds) => examine(await drawClip({ ratio: 'portrait', seconds }))),
  )
  const joined = await examine(bytes)
  expect(joined.packets).toBe(parts.reduce((sum, { packets }) => sum + packets, 0))
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  expect(Math.abs(joined.seconds - seconds)).toBeLessThanOrEqual(FRAME)
  expect((await user.get('/api/auth/me')).body).toEqual(before.body)
  const list = textOf((await page(user, '/films')).html)
  expect(list).toContain('My film')
  expect(list).toMatch(/3 clips · 0:04 min · [\d.]+ (kB|MB)/)
})

test('U-JOIN-6: a film is downloaded in parts, under its name, by its owner alone', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{}, {}])
  const { filmId } = await made(user, ids)
  const part = await user.send('GET', `/films/${filmId}/download`, {
    headers: { range: 'bytes=0-99' },
  })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
  expect(part.headers.get('content-disposition')).toBe('attachment; filename="my-film.mp4"')
  expect((await user.send('GET', `/films/${filmId}/poster.jpg`)).headers.get('content-type')).toBe(
    'image/jpeg',
  )
  expect((await user.send('GET', `/films/${filmId}/other`)).status).toBe(404)
  for (const other of [await product.user(), await product.user({ role: 'admin' })]) {
    for (const file of ['film.mp4', 'poster.jpg', 'download'])
      expect((await other.send('GET', `/films/${filmId}/${file}`)).status).toBe(404)
    const deleting: Fields = [
      ['intent', 'delete'],
      ['on', filmId],
    ]
    expect((await send(other, '/films', deleting)).status).toBe(404)
    expect(textOf((await page(other, '/films')).html)).not.toContain('My film')
  }
  const visitor = await product.client().send('GET', `/films/${filmId}/film.mp4`)
  expect(visitor.headers.get('location')).toMatch(/^\/login/)
  // Its clip and its posters go with it.
  expect((await filesOf(filmId)).some((name) => name.endsWith('.jpg'))).toBe(true)
  const fields: Fields = [
    ['intent', 'delete'],
    ['on', filmId],
  ]
  expect((await send(user, '/films', fields)).status).toBe(303)
  const worker = await product.startWorker()
  await until('no files', async () => (await filesOf(filmId)).length === 0)
  await worker.stop()
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
  }
  const { rowCount } = await product.db.query('select 1 from films where user_id = any($1)', [
    [user.userId, other.userId, admin.userId],
  ])
  expect(rowCount).toBe(0)
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
  const { film } = await made(user, [one, two])
  expect(film).toMatchObject({
    state: 'failed',
    reason: 'These clips were made with different settings and cannot be joined without loss.',
  })
  const filmId = randomUUID()
  await send(user, newFilm([one, three]), joining([one, three], filmId))
  await user.call('DELETE', `/api/videos/${three}`)
  const worker = await product.startWorker()
  expect((await ended(filmId)).reason).toBe(
    'A clip was deleted before it was joined: “The <last> swan”',
  )
  await worker.stop()
  expect(textOf((await page(user, '/films')).html)).toContain('“The <last> swan”')
  expect(await filesOf(filmId)).toEqual([])
})

test('U-JOIN-10: the same form twice makes one film; five wait and twenty are kept', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{}, {}])
  const filmId = randomUUID()
  const address = newFilm(ids)
  const twice = await Promise.all([1, 2].map(() => send(user, address, joining(ids, filmId))))
  expect(twice.map(({ status }) => status)).toEqual([303, 303])
  const other = await product.user()
  const theirs = await addClips(product, other.userId, [{}, {}])
  expect((await send(other, newFilm(theirs), joining(theirs, filmId))).status).toBe(404)
  const results = await Promise.all(
    Array.from({ length: 6 }, () => send(user, address, joining(ids))),
  )
  expect(results.filter(({ status }) => status === 303)).toHaveLength(4)
  const refused = results.find(({ status }) => status === 409)
  expect(textOf((await refused?.text()) ?? '')).toContain('5 films are being made.')
  await product.db.query(
    `update films set state = 'failed', reason = 'x', ended_at = now() where user_id = $1`,
    [user.userId],
  )
  await product.db.query(
    `insert into films (id, user_id, name, aspect_ratio, state, created_at, touched_at, ended_at)
     select gen_random_uuid(), $1, 'Old', 'portrait', 'failed', now(), now(), now() from generate_series(1, 15)`,
    [user.userId],
  )
  const full = await send(user, address, joining(ids))
  expect([full.status, textOf(await full.text())]).toEqual([
    409,
    expect.stringContaining('You have 20 films. Delete one to make another.'),
  ])
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
  const filmId = randomUUID()
  const fields = joining([a, b, c], filmId)
  for (const place of ['2', '3', '1']) fields.push(['place', place])
  expect((await send(user, third, fields)).status).toBe(303)
  const { rows } = await product.db.query<{ video_id: string }>(
    'select video_id from film_clips where film_id = $1 order by place',
    [filmId],
  )
  expect(rows.map(({ video_id }) => video_id)).toEqual([c, a, b])
})

slowTest.each([
  ['when it has taken the film, before the clips are read', "after:set state = 'working'"],
  ['when the file is in place, before its row is written', "before:set state = 'ready'"],
  [
    'when all is written, before the job is deleted',
    "after:set state = 'ready' > before:delete from .*jobs",
  ],
])('U-JOIN-12: the worker is killed %s: one film, one file', async (_, killAt) => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{}, {}])
  const filmId = randomUUID()
  await send(user, newFilm(ids), joining(ids, filmId))
  const doomed = await product.startWorker({ KILL_AT: killAt }, hooks)
  expect(await doomed.ended).toBeNull()
  const worker = await product.startWorker()
  const film = await ended(filmId)
  const noJobs = () =>
    product.db.query(`select 1 from graphile_worker._private_jobs where key = $1`, [
      `film:${filmId}`,
    ])
  await until('the job to end', async () => (await noJobs()).rowCount === 0)
  await worker.stop()
  expect(film.state).toBe('ready')
  expect(await clipsOf(filmId)).toEqual([film.file_key])
  const stored = await fs.readFile(path.join(product.dataDir, 'videos', film.file_key ?? ''))
  expect(createHash('sha256').update(stored).digest('hex')).toBe(film.file_sha256)
  expect(await fs.readdir(path.join(product.dataDir, 'videos', 'incoming'))).toEqual([])
})

slowTest('U-JOIN-13: a film that is deleted, also while it is made, leaves no file', async () => {
  const user = await product.user()
  const ids = await addClips(product, user.userId, [{}, {}])
  const { filmId } = await made(user, ids)
  expect(await clipsOf(filmId)).toHaveLength(1)
  await send(user, '/films', [
    ['intent', 'delete'],
    ['on', filmId],
  ])
  const early = randomUUID()
  await send(user, newFilm(ids), joining(ids, early))
  const doomed = await product.startWorker({ KILL_AT: "before:set state = 'ready'" }, hooks)
  expect(await doomed.ended).toBeNull()
  expect(await clipsOf(early)).toHaveLength(1)
  expect(
    (
      await send(user, '/films', [
        ['intent', 'delete'],
        ['on', early],
      ])
    ).status,
  ).toBe(303)
  const worker = await product.startWorker()
  await until(
    'no files',
    async () => [...(await filesOf(filmId)), ...(await filesOf(early))].length === 0,
  )
  await worker.stop()
  expect(await filmOf(filmId)).toBeUndefined()
  expect(await filmOf(early)).toBeUndefined()
  const videos = await product.db.query('select 1 from videos where user_id = $1', [user.userId])
  expect(videos.rowCount).toBe(2)
})
