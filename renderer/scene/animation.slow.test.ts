import { createHash } from 'node:crypto'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { describe, expect, test } from 'vitest'
import { loadCaptionFonts } from '../fonts'
import { cameraAt } from './camera'
import { composeScene } from './compose'
import { ELEMENTS, MOTIONS, PLACES, TIMES, WEATHERS, type Scene } from './facts'
import { openAnimation } from './animation'
import { MARGIN } from './stage'

const studio = { makeCanvas: createCanvas, fontFamily: loadCaptionFonts() }
const base = composeScene({ prompt: 'hills', negativePrompt: null, seed: 1 })

/** Draws one moment and gives its pixels. */
function still(scene: Scene, frame: { width: number; height: number; caption?: string }): Buffer {
  const { width, height } = frame
  const animation = openAnimation({ scene, width, height, caption: frame.caption ?? null }, studio)
  const canvas = createCanvas(width, height)
  animation.draw(canvas.getContext('2d'), { seconds: 3, progress: 0.4 })
  return canvas.data()
}

const portrait = { width: 720, height: 1280 }

describe('frames', () => {
  test('the same scene and moment give the same pixels', () => {
    const scene = composeScene({ prompt: 'stormy sea, a ship', negativePrompt: null, seed: 5 })
    const digests = [1, 2].map(() =>
      createHash('sha256')
        .update(still(scene, { ...portrait, caption: 'stormy sea' }))
        .digest('hex'),
    )
    expect(digests[0]).toBe(digests[1])
  })

  test.each(PLACES)('%s fills the whole frame in both shapes', (place) => {
    const order = PLACES.indexOf(place)
    const time = TIMES[order % TIMES.length] ?? 'day'
    const weather = WEATHERS[order % WEATHERS.length] ?? 'clear'
    for (const frame of [portrait, { width: 1280, height: 720 }]) {
      const pixels = still({ ...base, place, time, weather }, frame)
      expect(pixels.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true)
    }
  })

  test.each([portrait, { width: 1280, height: 720 }])(
    'U-I2V-4: a picture is the first frame, and the camera moves over it without an edge',
    async ({ width, height }) => {
      const canvas = createCanvas(width, height)
      const pen = canvas.getContext('2d')
      pen.fillStyle = '#ff0000'
      pen.fillRect(0, 0, width, height)
      pen.fillStyle = '#00ff00'
      pen.fillRect(0, 0, 200, 200)
      const picture = await loadImage(canvas.toBuffer('image/png'))
      const scene = { ...base, motion: 'pan' as const, pace: 'fast' as const }
      const animation = openAnimation({ scene, width, height, caption: null, picture }, studio)
      const frame = createCanvas(width, height)
      const at = (progress: number) => {
        const target = frame.getContext('2d')
        target.resetTransform()
        target.fillStyle = '#0000ff'
        target.fillRect(0, 0, width, height)
        animation.draw(target, { seconds: 3, progress })
        return frame.data()
      }
      const [first, last] = [Buffer.from(at(0)), Buffer.from(at(1))]
      // The caption's vignette darkens the corners, so colours are compared by which is stronger.
      const isGreen = (pixels: Buffer, side: number) => {
        const pixel = 4 * (side * width + side)
        return (pixels[pixel + 1] ?? 0) > (pixels[pixel] ?? 0)
      }
      expect([190, 210].map((side) => isGreen(first, side))).toEqual([true, false])
      expect(last.equals(first)).toBe(false)
      for (let pixel = 0; pixel < last.length; pixel += 4)
        if ((last[pixel + 2] ?? 0) > 128) throw new Error(`an edge at ${pixel}`)
    },
  )

  test('issue 52.7: a picture for the end fades in, and is the last frame', async () => {
    const { width, height } = portrait
    const canvas = createCanvas(width, height)
    const pen = canvas.getContext('2d')
    const painted = (colour: string) => {
      pen.fillStyle = colour
      pen.fillRect(0, 0, width, height)
      return loadImage(canvas.toBuffer('image/png'))
    }
    const [picture, endPicture] = [await painted('#ff0000'), await painted('#0000ff')]
    const shot = { scene: base, width, height, caption: null, picture, endPicture }
    const animation = openAnimation(shot, studio)
    const target = canvas.getContext('2d')
    const middleAt = (progress: number) => {
      animation.draw(target, { seconds: 3, progress })
      const { data } = target.getImageData(width / 2, height / 2, 1, 1)
      return [data[0] ?? 0, data[2] ?? 0].map((value) =>
        value > 200 ? 'full' : value > 50 ? 'some' : 'none',
      )
    }
    expect([0, 0.5, 0.75, 1].map(middleAt)).toEqual([
      ['full', 'none'],
      ['full', 'none'],
      ['some', 'some'],
      ['none', 'full'],
    ])
  })

  test('every element can be seen', () => {
    const small = { width: 360, height: 640 }
    const bare = still({ ...base, place: 'field' }, small)
    for (const kind of ELEMENTS) {
      const played = still({ ...base, place: 'field', elements: [kind] }, small)
      expect(played.equals(bare), kind).toBe(false)
    }
  })

  test.each(['مركب في البحر', '🎈🎈', 'x'.repeat(5_000), 'שלום עולם', '\ud83d', ''])(
    'caption %# does not break the picture',
    (caption) => {
      expect(still(base, { width: 360, height: 640, caption }).length).toBe(360 * 640 * 4)
    },
  )
})

test('the camera stays inside the margins of the planes', () => {
  for (const motion of MOTIONS) {
    for (const pace of ['slow', 'steady', 'fast'] as const) {
      for (let progress = 0; progress <= 1; progress += 0.05) {
        const camera = cameraAt({ ...base, motion, pace }, { progress, seconds: progress * 8 })
        expect(Math.abs(camera.x) * 1.2).toBeLessThan(MARGIN)
        expect(camera.zoom).toBeGreaterThanOrEqual(0)
      }
    }
  }
})
