import fs from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as drawingPackage from '@napi-rs/canvas'
import type * as codecsPackage from '@napi-rs/webcodecs'
import type { EncodedPacket, InputVideoTrack } from 'mediabunny'
import { smallWebpOf, webpOf } from '~/lib/poster-files'

type Canvas = drawingPackage.Canvas
type VideoFrame = codecsPackage.VideoFrame
type EncodedVideoChunkInit = codecsPackage.EncodedVideoChunkInit
type Tools = { drawing: typeof drawingPackage; codecs: typeof codecsPackage }

/** The mean brightness (0 to 255) from which a picture counts as not black. */
const BRIGHT_ENOUGH = 24
const POSTER_SIDE = 360
const POSTER_BYTES = 40_000
const WEBP_QUALITY = 76

/**
 * Loads the packages that decode and draw. Returns null if they are missing: an installation may
 * omit them (decision 48), and some platforms have no build of them. A clip must not be rejected
 * for that.
 */
async function loadTools(): Promise<Tools | null> {
  try {
    const [drawing, codecs] = await Promise.all([
      import('@napi-rs/canvas'),
      import('@napi-rs/webcodecs'),
    ])
    return { drawing, codecs }
  } catch {
    return null
  }
}

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
  const poster = drawPoster(tools, picture, { side: POSTER_SIDE, degrees })
  const small = drawPoster(tools, picture, { side: POSTER_SIDE / 2, degrees })
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

type Decoding = {
  /** Decodes one packet, or with null flushes the decoder. Returns the decoded frames. */
  feed(packet: EncodedPacket | null): Promise<readonly VideoFrame[]>
  close(): void
}

function openDecoder({ codecs }: Tools, config: VideoDecoderConfig | null): Decoding {
  if (config === null) throw new Error('no decoder configuration')
  const frames: VideoFrame[] = []
  const heard: { error?: Error } = {}
  const decoder = new codecs.VideoDecoder({
    output: (frame) => frames.push(frame),
    error: (error) => {
      heard.error = error
    },
  })
  const { codec, description } = config
  decoder.configure({ codec, ...(description ? { description: bytesOf(description) } : {}) })
  return {
    async feed(packet) {
      if (packet === null) await decoder.flush()
      else decoder.decode(new codecs.EncodedVideoChunk(chunkOf(packet)))
      while (decoder.decodeQueueSize > 0 && !heard.error) await sleep(1)
      if (heard.error) throw heard.error
      return frames.splice(0)
    },
    close() {
      for (const frame of frames) frame.close()
      if (decoder.state !== 'closed') decoder.close()
    },
  }
}

function chunkOf({ data, type, microsecondTimestamp }: EncodedPacket): EncodedVideoChunkInit {
  return { data, type, timestamp: microsecondTimestamp }
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

type Picture = { canvas: Canvas; brightness: number }

async function pictureOf({ drawing }: Tools, frame: VideoFrame): Promise<Picture> {
  const { codedWidth: width, codedHeight: height } = frame
  const pixels = new Uint8ClampedArray(width * height * 4)
  await frame.copyTo(new Uint8Array(pixels.buffer), { format: 'RGBA' })
  frame.close()
  const canvas = drawing.createCanvas(width, height)
  canvas.getContext('2d').putImageData(new drawing.ImageData(pixels, width, height), 0, 0)
  return { canvas, brightness: meanBrightness(pixels) }
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

type Shape = { side: number; degrees: number }

/** Draws a picture upright, with a short side of `side` pixels. */
function drawPoster({ drawing }: Tools, { canvas }: Picture, { side, degrees }: Shape): Canvas {
  const { width, height } = canvas
  const scale = Math.min(1, side / Math.min(width, height))
  const [wide, tall] = [Math.round(width * scale), Math.round(height * scale)]
  const lying = degrees % 180 !== 0
  const poster = drawing.createCanvas(lying ? tall : wide, lying ? wide : tall)
  const pen = poster.getContext('2d')
  pen.imageSmoothingQuality = 'high'
  pen.translate(poster.width / 2, poster.height / 2)
  pen.rotate((degrees * Math.PI) / 180)
  pen.drawImage(canvas, -wide / 2, -tall / 2, wide, tall)
  return poster
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
