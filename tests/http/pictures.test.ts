import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect } from 'vitest'
import type { VideoView } from '../../app/domain/videos/types'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage } from '../support/page'
import { openRedraw } from '../../app/platform/media/picture.server'
import { drawPicture, SECRET_PLACE, seenIn, turnedPicture, withExif } from '../support/pictures'
import { useInstallation } from '../support/shared-installation'
import { until } from '../support/wait'
import { slowTest, test } from '../support/slow'

// Without a worker: each clip takes the renderer seconds, and few of the tests need one.
const product = useInstallation({ env: { IMAGE_TO_VIDEO: 'on' } })
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

const TAB = '/app?tab=image'

/** Sends the form of the tab as a browser without scripts does. */
async function sendPicture(
  user: TestUser,
  picture: Buffer | null,
  fields: Record<string, string | File> = {},
  tab = TAB,
) {
  const { html } = await openPage(user, tab)
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  const body = new FormData()
  const all = {
    intent: 'generate-from-picture',
    formToken: hidden('formToken'),
    formKey: hidden('formKey'),
    prompt: 'The flag waves in the wind',
    negativePrompt: '',
    frame: 'nearest',
    crop: '50',
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) body.set(name, value)
  // A browser sends an empty file where none was chosen.
  body.set('picture', new File([new Uint8Array(picture ?? [])], picture ? 'flag.png' : ''))
  const packed = new Response(body)
  const answer = await user.send('POST', tab, {
    body: Buffer.from(await packed.arrayBuffer()),
    headers: {
      'content-type': packed.headers.get('content-type') ?? '',
      'sec-fetch-site': 'same-origin',
    },
  })
  const text = textOf(await answer.text())
  return { status: answer.status, location: answer.headers.get('location') ?? '', text }
}

const videosOf = async (user: TestUser) =>
  (await user.get<{ videos: VideoView[] }>('/api/videos')).body.videos

async function pictureOf(user: TestUser, id: string) {
  const answer = await user.send('GET', `/media/${id}.picture.jpeg`)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const fileOf = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'end.png')

const AS_IT_IS = { caller: 'a', fit: { ratio: 'nearest', at: 0.5 } } as const

const given = (name: string) => fs.readFile(path.join('tests/http/inputs', name))

/** Makes a video from a picture and returns what of it is used. */
async function used(picture: Buffer, fields = {}) {
  const user = await product.user()
  expect((await sendPicture(user, picture, fields)).status).toBe(303)
  const [video] = await videosOf(user)
  const { bytes } = await pictureOf(user, video?.id ?? '')
  return { ratio: video?.aspectRatio, bytes, ...(await seenIn(bytes)) }
}

/** Runs a worker until the user's newest video is made. */
async function firstClip(user: TestUser): Promise<VideoView> {
  const worker = await product.startWorker()
  const made = await until('the clip', async () => {
    const [now] = await videosOf(user)
    return now?.status === 'completed' && now
  })
  await worker.stop()
  return made
}

describe('the tab', () => {
  test('U-I2V-10: without scripts from the upload to a playable video', async () => {
    const user = await product.user()
    const tab = await openPage(user, TAB)
    expect(tab.text).not.toContain('Coming Soon')
    expect(tab.html).toMatch(/enctype="multipart\/form-data"/i)
    const sent = await sendPicture(user, drawPicture(1600, 900), { negativePrompt: 'rain' })
    expect(sent.status).toBe(303)
    const [video] = await videosOf(user)
    const id = video?.id ?? ''
    expect(sent.location).toBe(`/app?watch=${id}`)
    expect(video).toMatchObject({ aspectRatio: 'landscape', negativePrompt: 'rain' })
    const made = await firstClip(user)
    const clip = await user.send('GET', made.videoUrl ?? '')
    expect(Buffer.from(await clip.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
    // The poster shows the picture: the camera has moved over it, and no scene was painted.
    const poster = await user.send('GET', made.thumbnailUrl ?? '')
    const { across } = await seenIn(Buffer.from(await poster.arrayBuffer()))
    expect(across).toEqual(['red', 'green', 'blue'])
    const page = await openPage(user, `/videos/${id}`)
    expect(page.html).toContain(`src="/media/${id}.picture.jpeg"`)
  })

  test('U-I2V-11: a picture has the nearer ratio, and is cut in the middle or where the user says', async () => {
    const wide = drawPicture(1200, 400)
    const nearest = await used(wide)
    expect(nearest).toMatchObject({ ratio: 'landscape', size: [1280, 720] })
    expect(await used(drawPicture(400, 1200, 'webp'))).toMatchObject({
      ratio: 'portrait',
      size: [720, 1280],
    })
    const upright = { frame: 'portrait' }
    expect(await used(wide, upright)).toMatchObject({
      ratio: 'portrait',
      size: [720, 1280],
      across: ['green', 'green', 'green'],
    })
    const [left, right] = [
      await used(wide, { ...upright, crop: '0' }),
      await used(wide, { ...upright, crop: '100' }),
    ]
    expect([left.across, right.across]).toEqual([Array(3).fill('red'), Array(3).fill('blue')])
  })

  test('A15: the place of the frame in a call is a number, or digits; nothing else is read as 0 or 1', async () => {
    const user = await product.user()
    const order = async (crop: unknown) =>
      (await user.post('/api/videos/generate', { prompt: 'a kite', crop })).status
    for (const crop of ['', ' ', null, true, [], '0x10', '1e1', '-1', 101])
      expect(await order(crop), JSON.stringify(crop)).toBe(400)
    for (const crop of ['30', '12.5', 0]) expect(await order(crop), JSON.stringify(crop)).toBe(201)
  })

  test('U-I2V-12: a picture is turned upright as its metadata says, and nothing of that is kept', async () => {
    const tagged = withExif(drawPicture(1280, 720, 'jpeg'))
    expect(tagged.includes(SECRET_PLACE)).toBe(true)
    const { ratio, size, down, bytes } = await used(tagged)
    expect({ ratio, size, down }).toEqual({
      ratio: 'portrait',
      size: [720, 1280],
      down: ['red', 'green', 'blue'],
    })
    expect(bytes.includes(SECRET_PLACE)).toBe(false)
    expect(bytes.includes('Exif')).toBe(false)
  })

  test.each(['jpeg', 'png', 'webp'] as const)(
    'X12: a %s is upright however its metadata say it is turned',
    async (kind) => {
      const redraw = openRedraw(path.resolve('build/redraw-picture.js'))
      const [right, left] = [
        ['red', 'green', 'blue'],
        ['blue', 'green', 'red'],
      ]
      const rows = [right, left, left, right, right, right, left, left]
      for (const [i, along] of rows.entries()) {
        const redrawn = await redraw?.(turnedPicture(kind, i + 1), { of: 'video', ...AS_IT_IS })
        const seen = redrawn?.ok ? await seenIn(redrawn.jpeg) : null
        const expected =
          i < 4 ? { size: [1280, 720], across: along } : { size: [720, 1280], down: along }
        expect([i + 1, seen]).toMatchObject([i + 1, expected])
      }
    },
  )

  test.each(['png', 'webp'])(
    'X12: the picture that phones show upright is used so: %s',
    async (ending) => {
      const { ratio, size } = await used(await given(`turned-by-exif.${ending}`))
      expect({ ratio, size }).toEqual({ ratio: 'portrait', size: [720, 1280] })
    },
  )
})

test('issue 52.7: without scripts and by the call a video gets a picture for its end, cut to its ratio', async () => {
  const user = await product.user()
  const endPicture = fileOf(drawPicture(900, 1600))
  const sent = await sendPicture(user, drawPicture(1600, 900), { endPicture })
  expect(sent.status).toBe(303)
  const body = {
    prompt: 'by a program',
    picture: drawPicture(1600, 900).toString('base64'),
    endPicture: drawPicture(900, 1600).toString('base64'),
  }
  expect((await user.post('/api/videos/generate', body)).status).toBe(201)
  const videos = await videosOf(user)
  expect(videos).toHaveLength(2)
  for (const { id } of videos) {
    const answer = await user.send('GET', `/media/${id}.end-picture.jpeg`)
    const { size, across } = await seenIn(Buffer.from(await answer.arrayBuffer()))
    expect({ size, across }).toEqual({ size: [1280, 720], across: ['red', 'green', 'blue'] })
    const page = await openPage(user, `/videos/${id}`)
    expect(page.html).toContain(`src="/media/${id}.end-picture.jpeg"`)
    expect(page.text).toContain('Ends with a picture')
  }
  const other = await product.user()
  const [video] = videos
  expect((await other.send('GET', `/media/${video?.id}.end-picture.jpeg`)).status).toBe(404)
})

test('issue 52.7: a picture for the end that cannot be used is refused at its own field', async () => {
  const user = await product.user()
  const endPicture = fileOf(Buffer.from('no picture'))
  const words = { prompt: 'Keep these words', endPicture }
  const { status, text } = await sendPicture(user, drawPicture(90, 160), words)
  expect(status).toBe(400)
  expect(text).toContain('This is not a JPEG, PNG or WebP picture that can be read')
  expect(text).toContain('If you chose one, please choose it again.')
  expect(text).toContain('Keep these words')
  const alone = { prompt: 'a kite', endPicture: drawPicture(90, 160).toString('base64') }
  const refused = await user.post('/api/videos/generate', alone)
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('Send the picture with which it begins as well')
  expect(await videosOf(user)).toEqual([])
})

describe('refusals', () => {
  const large = drawPicture(10, 10)
  large.writeUInt32BE(6_834, 16)
  large.writeUInt32BE(6_000, 20)
  test.each([
    ['no picture', null, 'Please choose a picture'],
    ['a text', Buffer.from('no picture'), 'This is not a JPEG, PNG or WebP picture'],
    ['a part of one', drawPicture(300, 300).subarray(0, 60), 'This picture is not complete'],
    ['more than 10 MB', Buffer.alloc(10.5 * 1024 * 1024), 'The picture can have at most 10 MB'],
    ['41 megapixels', large, 'The picture can have at most 40 megapixels'],
    ['an icon', drawPicture(64, 63), 'The picture must be at least 64 pixels wide and high'],
  ])('U-I2V-13: %s is refused in words, and the prompt is kept', async (_name, bytes, words) => {
    const user = await product.user()
    const { status, text } = await sendPicture(user, bytes, { prompt: 'Keep these words' })
    expect(status).toBe(400)
    expect(text).toContain(words)
    expect(text).toContain('Keep these words')
    expect(text).toContain('Please choose the picture again')
    expect(await videosOf(user)).toEqual([])
  })

  test.each(['jpg', 'png'])('X13: a %s that ends at 60 % is refused in words', async (ending) => {
    const user = await product.user()
    const { status, text } = await sendPicture(user, await given(`cut-at-60.${ending}`))
    expect(status).toBe(400)
    expect(text).toContain('This picture is not complete')
    expect(await videosOf(user)).toEqual([])
  })

  test('U-I2V-13: an account that may not order has no picture stored', async () => {
    const user = await product.user({ expiry_date: new Date('2020-01-01') })
    const count = async () => (await product.db.query('select 1 from order_pictures')).rowCount
    const before = await count()
    expect((await sendPicture(user, drawPicture(90, 160))).status).not.toBe(303)
    expect(await count()).toBe(before)
  })

  test('U-I2V-14: only the owner of a video gets its picture, and administrators', async () => {
    const [user, other] = [await product.user(), await product.user()]
    await sendPicture(user, drawPicture(90, 160))
    const [video] = await videosOf(user)
    const id = video?.id ?? ''
    const admin = await product.user({ role: 'admin' })
    expect((await pictureOf(user, id)).status).toBe(200)
    expect((await pictureOf(other, id)).status).toBe(404)
    expect((await pictureOf(admin, id)).status).toBe(200)
    const visitor = await product.client().send('GET', `/media/${id}.picture.jpeg`)
    expect([303, 401]).toContain(visitor.status)
    await user.send('DELETE', `/api/videos/${id}`, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect((await pictureOf(user, id)).status).toBe(404)
  })
})

slowTest('U-I2V-19: a new video begins where a clip ends; only that of one’s own', async () => {
  const user = await product.user()
  await sendPicture(user, drawPicture(1600, 900))
  const clip = await firstClip(user)
  const page = await openPage(user, `/videos/${clip.id}`)
  const tab = `/app?tab=image&continue=${clip.id}`
  expect(page.html).toContain(`href="${tab.replace('&', '&amp;')}"`)
  const form = await openPage(user, tab)
  expect(form.text).toContain('the last picture of this clip')
  expect(form.html).toContain(`<img src="/media/${clip.id}.`)
  const refused = await sendPicture(user, null, { continues: clip.id, prompt: '' }, tab)
  expect([refused.status, refused.text.includes('the last picture of this clip')]).toEqual([
    400,
    true,
  ])
  const sent = await sendPicture(user, null, { continues: clip.id, prompt: 'It goes on' }, tab)
  expect(sent.status).toBe(303)
  const [next] = await videosOf(user)
  expect(next).toMatchObject({ prompt: 'It goes on', aspectRatio: 'landscape' })
  const { bytes } = await pictureOf(user, next?.id ?? '')
  expect(await seenIn(bytes)).toMatchObject({
    size: [1280, 720],
    across: ['red', 'green', 'blue'],
  })
  const other = await product.user()
  const none = (await openPage(other, tab)).text
  expect(none).not.toContain('the last picture of this clip')
  expect(none).toContain('The clip that you want to continue is not there.')
  expect((await sendPicture(other, null, { continues: clip.id }, tab)).status).toBe(404)
  expect(await videosOf(other)).toEqual([])
})

test('U-I2V-15: the landing page announces nothing that is there', async () => {
  const { text } = await openPage(product.client(), '/')
  expect(text).toContain('Image-to-Video')
  expect(text).not.toContain('Coming Soon')
})

describe('switched off', () => {
  const plain = useInstallation()
  test('U-I2V-1: the tab is a placeholder, its form is unknown, and a body has at most 1 MB', async () => {
    const user = await plain.user()
    expect((await openPage(user, TAB)).text).toContain('Coming Soon')
    expect((await openPage(user, TAB)).html).not.toContain('type="file"')
    expect((await openPage(plain.client(), '/')).text).toContain('Coming Soon')
    expect((await sendPicture(user, drawPicture(90, 160))).status).toBe(400)
    expect((await sendPicture(user, Buffer.alloc(1_100_000))).status).toBe(413)
    expect((await plain.db.query('select 1 from order_pictures')).rowCount).toBe(0)
  })
})
