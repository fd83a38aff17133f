import fs from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas'
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from '@napi-rs/webcodecs'
import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP4,
  QTFF,
  type EncodedPacket,
  type InputVideoTrack,
} from 'mediabunny'
import type { ClipInspection } from './facts'

/** Pictures looked at before the best so far is taken. */
const MOST_FRAMES = 36
/** Mean brightness, 0..255, from which a picture counts as not black. */
const BRIGHT_ENOUGH = 24
const POSTER_SIDE = 360
const POSTER_BYTES = 40_000
/** No provider sends more; a decoder asked for more is under attack. */
const MOST_PIXELS = 4_096 * 2_304

/**
 * Reads a clip's facts and writes its poster. Runs in a child process: the bytes are untrusted and
 * may crash a decoder or exhaust memory. Throws when the file is no readable video.
 */
export async function examineClip(path: string, posterPath: string): Promise<ClipInspection> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] })
  try {
    return await examine(input, posterPath)
  } finally {
    input.dispose()
  }
}

async function examine(input: Input, posterPath: string): Promise<ClipInspection> {
  const track = await input.getPrimaryVideoTrack()
  if (track === null) return { ok: false, reason: 'it has no picture track' }
  const codec = await track.getCodec()
  if (codec === null) return { ok: false, reason: 'its codec is unknown' }
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  if (width * height > MOST_PIXELS) return { ok: false, reason: 'its picture is too large' }
  const durationMs = Math.round((await input.computeDuration()) * 1000)
  const packets = await firstPackets(track)
  if (packets.length === 0) return { ok: false, reason: 'it has no pictures' }
  const poster = await makePoster(track, { packets, posterPath }).catch(() => false)
  return { ok: true, facts: { codec, width, height, durationMs, poster } }
}

async function firstPackets(track: InputVideoTrack): Promise<readonly EncodedPacket[]> {
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) {
    packets.push(packet)
    if (packets.length === MOST_FRAMES) break
  }
  return packets
}

type PosterWish = { packets: readonly EncodedPacket[]; posterPath: string }

async function makePoster(track: InputVideoTrack, wish: PosterWish): Promise<boolean> {
  const picture = await brightPicture(track, wish.packets)
  if (picture === null) return false
  await fs.writeFile(wish.posterPath, encodePoster(picture, await track.getRotation()))
  return true
}

async function brightPicture(
  track: InputVideoTrack,
  packets: readonly EncodedPacket[],
): Promise<Picture | null> {
  const decoding = openDecoder(await track.getDecoderConfig())
  try {
    return await firstBright(decoding, packets)
  } finally {
    decoding.close()
  }
}

/** Decodes until a picture is bright enough; else gives the brightest of those seen. */
async function firstBright(
  decoding: Decoding,
  packets: readonly EncodedPacket[],
): Promise<Picture | null> {
  let best: Picture | null = null
  for (const packet of [...packets, null]) {
    for (const frame of await decoding.feed(packet)) {
      const picture = await pictureOf(frame)
      if (best === null || picture.brightness > best.brightness) best = picture
    }
    if (best !== null && best.brightness >= BRIGHT_ENOUGH) break
  }
  return best
}

type Decoding = {
  /** Decodes one packet, or with null all that are still inside; gives the frames that came out. */
  feed(packet: EncodedPacket | null): Promise<readonly VideoFrame[]>
  close(): void
}

function openDecoder(config: VideoDecoderConfig | null): Decoding {
  if (config === null) throw new Error('no decoder configuration')
  const frames: VideoFrame[] = []
  const heard: { error?: Error } = {}
  const decoder = new VideoDecoder({
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
      else decoder.decode(chunkOf(packet))
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

function chunkOf({ data, type, microsecondTimestamp }: EncodedPacket): EncodedVideoChunk {
  return new EncodedVideoChunk({ data, type, timestamp: microsecondTimestamp })
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

type Picture = { canvas: Canvas; brightness: number }

async function pictureOf(frame: VideoFrame): Promise<Picture> {
  const { codedWidth: width, codedHeight: height } = frame
  const pixels = new Uint8ClampedArray(width * height * 4)
  await frame.copyTo(new Uint8Array(pixels.buffer), { format: 'RGBA' })
  frame.close()
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0)
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

/** A JPEG with a short side of 360 pixels, turned upright, at the best quality under 40 kB. */
function encodePoster({ canvas }: Picture, degrees: number): Buffer {
  const { width, height } = canvas
  const scale = Math.min(1, POSTER_SIDE / Math.min(width, height))
  const [wide, tall] = [Math.round(width * scale), Math.round(height * scale)]
  const lying = degrees % 180 !== 0
  const poster = createCanvas(lying ? tall : wide, lying ? wide : tall)
  const pen = poster.getContext('2d')
  pen.imageSmoothingQuality = 'high'
  pen.translate(poster.width / 2, poster.height / 2)
  pen.rotate((degrees * Math.PI) / 180)
  pen.drawImage(canvas, -wide / 2, -tall / 2, wide, tall)
  const qualities = [84, 74, 62, 48]
  for (const quality of qualities) {
    const bytes = poster.toBuffer('image/jpeg', quality)
    if (bytes.length <= POSTER_BYTES) return bytes
  }
  return poster.toBuffer('image/jpeg', 32)
}
