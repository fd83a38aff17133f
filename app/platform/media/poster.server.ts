import fs from 'node:fs/promises'
import type { EncodedPacket, InputVideoTrack } from 'mediabunny'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import {
  canvasOf,
  drawUpright,
  loadTools,
  openDecoder,
  pixelsOf,
  type Canvas,
  type Decoding,
  type Tools,
  type VideoFrame,
} from './decoding.server'

/** The mean brightness (0 to 255) from which a picture counts as not black. */
const BRIGHT_ENOUGH = 24
const POSTER_SIDE = 360
const POSTER_BYTES = 40_000
const WEBP_QUALITY = 76

type PosterWish = { packets: readonly EncodedPacket[]; posterPath: string }

/**
 * Writes the first picture that is not black, or the brightest of those given, as a JPEG and as
 * two WebPs. Returns false if the packages that decode and draw are missing. Throws if the pictures
 * cannot be decoded.
 */
export async function makePoster(track: InputVideoTrack, wish: PosterWish): Promise<boolean> {
  const tools = await loadTools()
  if (tools === null) return false
  const picture = await brightPicture(tools, track, wish.packets)
  if (picture === null) return false
  const degrees = await track.getRotation()
  const poster = drawUpright(tools, picture.canvas, { side: POSTER_SIDE, degrees })
  const small = drawUpright(tools, picture.canvas, { side: POSTER_SIDE / 2, degrees })
  await fs.writeFile(wish.posterPath, encodeJpeg(poster))
  await fs.writeFile(webpOf(wish.posterPath), await poster.encode('webp', WEBP_QUALITY))
  await fs.writeFile(smallWebpOf(wish.posterPath), await small.encode('webp', WEBP_QUALITY))
  return true
}

async function brightPicture(
  tools: Tools,
  track: InputVideoTrack,
  packets: readonly EncodedPacket[],
): Promise<Picture | null> {
  const decoding = openDecoder(tools, await track.getDecoderConfig())
  try {
    return await firstBright(tools, decoding, packets)
  } finally {
    decoding.close()
  }
}

/** Decodes until a picture is bright enough. If none is, returns the brightest. */
async function firstBright(
  tools: Tools,
  decoding: Decoding,
  packets: readonly EncodedPacket[],
): Promise<Picture | null> {
  let best: Picture | null = null
  for (const packet of [...packets, null]) {
    for (const frame of await decoding.feed(packet)) {
      const picture = await pictureOf(tools, frame)
      if (best === null || picture.brightness > best.brightness) best = picture
    }
    if (best !== null && best.brightness >= BRIGHT_ENOUGH) break
  }
  return best
}

type Picture = { canvas: Canvas; brightness: number }

async function pictureOf(tools: Tools, frame: VideoFrame): Promise<Picture> {
  const seen = await pixelsOf(frame)
  return { canvas: canvasOf(tools, seen), brightness: meanBrightness(seen.pixels) }
}

function meanBrightness(pixels: Uint8ClampedArray): number {
  let sum = 0
  let count = 0
  for (let at = 0; at + 2 < pixels.length; at += 4 * 211) {
    sum += Math.max(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0)
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

/** Encodes at the best quality under 40 kB. */
function encodeJpeg(poster: Canvas): Buffer {
  const qualities = [84, 74, 62, 48]
  for (const quality of qualities) {
    const bytes = poster.toBuffer('image/jpeg', quality)
    if (bytes.length <= POSTER_BYTES) return bytes
  }
  return poster.toBuffer('image/jpeg', 32)
}
