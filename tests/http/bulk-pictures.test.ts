import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { VideoView } from '../../app/domain/videos/types'
import { readDocument } from '../docs/documents'
import { makeApiKey } from '../support/api-key'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage } from '../support/page'
import { drawPicture, seenIn } from '../support/pictures'
import { useInstallation } from '../support/shared-installation'

// No worker runs: accepted videos wait.
const product = useInstallation({ env: { IMAGE_TO_VIDEO: 'on' } })
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const BULK = '/app?tab=bulk'
const LIST = '/app/list'
const RECEIPT = '/app/receipt'
/** A receipt says of which text it is. */
const OWN_RECEIPT = expect.stringMatching(/^\/app\/receipt\?of=\d+$/) as string

const newUser = () =>
  product.user({ plan: 'Business', video_limit: 200, speed_limit: 3, video_generation_speed: 60 })

const png = (name: string, bytes: Buffer = drawPicture(120, 90)) =>
  new File([new Uint8Array(bytes)], name, { type: 'image/png' })

/** Sends a form of a page as a browser without scripts does. Fields that the page hides are sent too. */
async function send(
  user: TestUser,
  path: string,
  fields: Record<string, string>,
  files: File[] = [],
) {
  const { html } = await openPage(user, path)
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]
  const body = new FormData()
  for (const name of ['formToken', 'formKey', 'shownPictures', 'first', 'version']) {
    const value = hidden(name)
    if (value !== undefined) body.set(name, value)
  }
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  for (const file of files) body.append('pictures', file)
  const packed = new Response(body)
  const answer = await user.send('POST', path, {
    body: Buffer.from(await packed.arrayBuffer()),
    headers: {
      'content-type': packed.headers.get('content-type') ?? '',
      'sec-fetch-site': 'same-origin',
    },
  })
  const html2 = await answer.text()
  return {
    status: answer.status,
    location: answer.headers.get('location') ?? '',
    html: html2,
    text: textOf(html2),
  }
}

/** The ratio of each video, and the colours across its picture, by its prompt. */
async function madeBy(user: TestUser) {
  const { videos } = (await user.get<{ videos: VideoView[] }>('/api/videos')).body
  const seen = videos.map(async ({ id, prompt, aspectRatio }) => {
    const answer = await user.send('GET', `/media/${id}.picture.jpeg`)
    if (answer.status !== 200) return [prompt, null]
    const { size, across } = await seenIn(Buffer.from(await answer.arrayBuffer()))
    expect(size).toEqual(aspectRatio === 'portrait' ? [720, 1280] : [1280, 720])
    return [prompt, across.join(' ')]
  })
  return Object.fromEntries(await Promise.all(seen)) as Record<string, string | null>
}

const bulkBox = (promptLines: string, intent: string) => ({
  intent,
  promptLines,
  negativePrompt: '',
  aspectRatio: 'landscape',
})

test('U-I2V-26: without scripts from the pictures to the receipt to the videos', async () => {
  const user = await newUser()
  const green = png('green.png', drawPicture(90, 900))
  const text = 'A field\n[boat.png] A boat'
  const sent = await send(user, BULK, bulkBox(text, 'review-batch'), [green])
  expect([sent.status, sent.location]).toEqual([303, OWN_RECEIPT])
  expect((await openPage(user, RECEIPT)).text).toContain('green.png: 2 videos')
  expect(await madeBy(user)).toEqual({})
  const started = await send(user, RECEIPT, bulkBox(text, 'start-batch'))
  expect(started.status).toBe(303)
  expect(await madeBy(user)).toEqual({
    'A field': 'red green blue',
    '[boat.png] A boat': 'red green blue',
  })
  expect((await openPage(user, BULK)).text).not.toContain('green.png:')
})

describe('refusals', () => {
  test('U-I2V-27: each picture that is refused is named, the others are there, and the prompts stay', async () => {
    const user = await newUser()
    const refused = await send(user, BULK, bulkBox('Keep these words', 'add-pictures'), [
      png('boat.png'),
      png('notes.png', Buffer.from('no picture')),
      png('large.png', Buffer.alloc(10.5 * 1024 * 1024)),
      png('Boat.png', drawPicture(90, 120)),
    ])
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('notes.png: This is not a JPEG, PNG or WebP picture')
    expect(refused.text).toContain('large.png: The picture can have at most 10 MB')
    expect(refused.text).toContain('Boat.png: There is another picture of this name')
    expect(refused.html).toContain('aria-label="Remove boat.png"')
    expect(refused.text).toContain('Keep these words')
    // A start with a picture that nobody has looked at shows it first.
    const started = await send(user, BULK, bulkBox('Keep these words', 'start-batch'), [
      png('flag.png'),
    ])
    expect([started.status, started.location]).toEqual([303, OWN_RECEIPT])
    expect((await openPage(user, RECEIPT)).text).toContain('There are several pictures')
    const unclear = await send(user, RECEIPT, bulkBox('Keep these words', 'start-batch'))
    expect(unclear.status).toBe(400)
    expect(unclear.text).toContain('There are several pictures')
    const removed = await send(user, BULK, bulkBox('Keep these words', 'remove-picture-0'))
    expect(removed.status).toBe(303)
    const page = await openPage(user, BULK)
    expect(page.html).not.toContain('Remove boat.png')
    expect(page.text).toContain('Keep these words')
    expect(await madeBy(user)).toEqual({})
  })

  test('U-I2V-27: more than 20 pictures, or 30 MB at a time, are refused in words', async () => {
    const user = await newUser()
    await product.db.query(
      `insert into draft_pictures (user_id, name, added_at)
       select $1, number || '.png', engine_now() from generate_series(1, 20) as number`,
      [user.userId],
    )
    const full = await send(user, BULK, bulkBox('A boat', 'add-pictures'), [png('boat.png')])
    expect(full.text).toContain('boat.png: There are 20 pictures already')
    const heavy = Array.from({ length: 4 }, (_, i) =>
      png(`${i}.jpg`, Buffer.alloc(7.6 * 1024 * 1024)),
    )
    const refused = await send(user, BULK, bulkBox('A boat', 'add-pictures'), heavy)
    expect(refused.text).toContain('Pictures can have 30 MB together at a time')
  })
})

test('U-I2V-28: a column of a table names the pictures of its rows', async () => {
  const user = await newUser()
  const cells =
    'Prompt\tPicture\tRatio\nA boat\tboat.png\t9:16\nA field\t\t16:9\nA {red|blue} sail\tBoat.png\t16:9\nA hill\thttps://example.com/x.png\t16:9'
  const opened = await send(user, BULK, bulkBox(cells, 'review-batch'))
  expect([opened.status, opened.location]).toEqual([303, LIST])
  const before = await openPage(user, LIST)
  expect(before.text).toContain('Row 1 names the picture boat.png, which is not there')
  const refused = await send(user, LIST, { intent: 'start-list', aspectRatio: 'portrait' })
  expect(refused.status).toBe(400)
  const boat = png('boat.png', drawPicture(320, 90))
  const spare = png('spare.png', drawPicture(80, 80))
  const added = await send(user, LIST, { intent: 'add-pictures' }, [boat, spare])
  expect([added.status, added.location]).toEqual([303, LIST])
  const list = await openPage(user, LIST)
  expect(list.text).toContain('Each row begins with the picture in its "Picture" cell')
  expect(list.text).toContain('boat.png: 3 videos (prompts 1, 3, 4)')
  expect(list.text).toContain('Without a picture: 2 videos')
  expect(list.text).toContain('Not used: spare.png')
  expect(list.text).toContain('Begins with boat.png')
  const started = await send(user, LIST, { intent: 'start-list', aspectRatio: 'portrait' })
  expect(started.status).toBe(303)
  expect(await madeBy(user)).toEqual({
    'A boat': 'green green green',
    'A field': null,
    'A red sail': 'red green blue',
    'A blue sail': 'red green blue',
    'A hill': null,
  })
  const on = new URL(started.location, 'http://x').searchParams.get('batch') ?? ''
  const again = await send(user, `/batches/${on}`, { intent: 'use-again', on })
  expect([again.status, again.location]).toEqual([303, LIST])
  const { text } = await openPage(user, LIST)
  expect(text).toContain('5 prompts are in the list')
  expect(text).toContain('Their pictures are back with them, in its column Picture.')
  expect(text).toContain('boat.png: 3 videos (prompts 1, 3, 4)')
})

describe('calls', () => {
  const base64 = (bytes: Buffer) => bytes.toString('base64')

  test('U-I2V-29: a program orders a video with a picture, once per key', async () => {
    const user = await newUser()
    const order = {
      prompt: 'By a program',
      picture: base64(drawPicture(1600, 900)),
    }
    const key = { 'idempotency-key': 'picture' }
    const first = await user.post<{ id: string }>('/api/videos/generate', order, key)
    expect(first.status).toBe(201)
    expect((await user.post('/api/videos/generate', order, key)).body).toEqual(first.body)
    const other = { ...order, picture: base64(drawPicture(900, 1600)) }
    expect((await user.post('/api/videos/generate', other, key)).status).toBe(409)
    const cut = { prompt: 'Cut', aspectRatio: 'portrait', crop: '0' }
    const address = `data:image/png;base64,${order.picture}`
    await user.post('/api/videos/generate', { ...cut, picture: address })
    expect(await madeBy(user)).toEqual({
      'By a program': 'red green blue',
      Cut: 'red red red',
    })
    const bad = await user.post<{ fields: object }>('/api/videos/generate', {
      ...order,
      picture: '?',
    })
    expect([bad.status, bad.body.fields]).toEqual([
      400,
      { picture: ['Send the picture in base64'] },
    ])
  })

  test('U-I2V-29: a batch with pictures, of which each prompt names its own', async () => {
    const user = await newUser()
    const pictures = [
      { name: 'boat.png', data: base64(drawPicture(1600, 900)) },
      { name: 'field.png', data: base64(drawPicture(320, 90)) },
    ]
    const call = (body: object, key = 'batch') =>
      user.post<BatchReceipt & { error: string }>('/api/videos/bulk-generate', body, {
        'idempotency-key': key,
      })
    const wide = { aspectRatio: 'landscape', pictures }
    const prompts = [
      { prompt: 'A boat', picture: 'boat.png' },
      { prompt: 'A field', picture: 'Field.png', aspectRatio: 'portrait' },
      'A bare hill',
    ]
    for (const [wrong, words] of [
      [{ ...wide, prompts: ['A', 'B'] }, 'There are several pictures'],
      [{ ...wide, prompts: prompts.slice(1) }, 'No prompt names the picture boat.png'],
      [{ prompts }, 'Prompt 1 names the picture boat.png, which is not there'],
      [
        { ...wide, prompts, pictures: [...pictures, pictures[0]] },
        'Two pictures have the same name',
      ],
    ] as const) {
      const refused = await call(wrong)
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(words)])
    }
    const first = await call({ ...wide, prompts })
    expect(first.status).toBe(201)
    expect((await call({ ...wide, prompts })).body).toEqual(first.body)
    expect(await madeBy(user)).toEqual({
      'A boat': 'red green blue',
      'A field': 'green green green',
      'A bare hill': null,
    })
  })
})

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

test.runIf(hasCurl)(
  'U-I2V-29: the example with curl in docs/api.md orders a video with its picture',
  async () => {
    const user = await product.user({ plan: 'Enterprise' })
    const text =
      /^### Pictures$.*?^```sh\n(.*?)^```$/ms.exec(readDocument('docs/api.md'))?.[1] ?? ''
    const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-picture-'))
    await fs.writeFile(path.join(dir, 'boat.jpg'), drawPicture(1600, 900, 'jpeg'))
    const env = { ...process.env, REELMILL: product.url, REELMILL_KEY: await makeApiKey(user) }
    const { stdout } = await run('bash', ['--norc', '-c', text], { cwd: dir, env })
    await fs.rm(dir, { recursive: true })
    expect(JSON.parse(stdout)).toEqual({ id: expect.any(String) as unknown })
    expect(await madeBy(user)).toEqual({ 'The boat leaves': 'red green blue' })
  },
)

describe('switched off', () => {
  const plain = useInstallation()
  test('U-I2V-1: the bulk form has no pictures, names of files are words, and calls with one are refused', async () => {
    const user = await plain.user()
    expect((await openPage(user, BULK)).html).not.toContain('name="pictures"')
    const sent = await send(user, BULK, bulkBox('[boat.png] A boat', 'start-batch'))
    expect(sent.status).toBe(303)
    expect(await madeBy(user)).toEqual({ '[boat.png] A boat': null })
    const order = { prompt: 'A boat', picture: drawPicture(90, 160).toString('base64') }
    const refused = await user.post<{ error: string }>('/api/videos/generate', order)
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'Videos from pictures are not offered here',
    ])
  })
})
