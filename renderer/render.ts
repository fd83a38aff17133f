import { setTimeout as sleep } from 'node:timers/promises'
import { createCanvas, type Canvas, type Image } from '@napi-rs/canvas'
import { VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { loadCaptionFonts } from './fonts'
import type { RenderOrder } from './order'
import { composeScene } from './scene/compose'
import { openAnimation, type Animation } from './scene/animation'

const FRAMES_PER_SECOND = 24
const KEY_FRAME_EVERY = 48
/** Makes a clip of 8 s about 3 MB large. */
const BITS_PER_SECOND = 3_000_000
/**
 * The most frames that the encoder has received and not yet encoded. Measured memory: 1.2 GB without
 * a limit, 390 MB limited by `encodeQueueSize`, which counts too few, and 260 MB with this limit, at
 * the same speed.
 */
const MOST_IN_FLIGHT = 4
/** The longest wait for an encoder that keeps more frames than that. */
const PATIENCE_MS = 250
/** Frames per garbage collection, which alone frees the memory of closed frames. */
const COLLECT_EVERY = 4

export type Size = { width: number; height: number }

/** Returns 720x1280 or 1280x720. */
export function frameSize(aspectRatio: RenderOrder['aspectRatio']): Size {
  return aspectRatio === 'portrait' ? { width: 720, height: 1280 } : { width: 1280, height: 720 }
}

/** An order with its pictures, of the size of the animation, if it has any. */
export type AnimationOrder = Omit<RenderOrder, 'hasPicture' | 'hasEndPicture'> & {
  picture?: Image | null
  endPicture?: Image | null
}

/** Returns the animation of an order. Its `draw` paints one frame on a canvas of `frameSize`. */
export function animationOf(
  order: AnimationOrder,
  caption: string | null = order.prompt,
): Animation {
  const { prompt, negativePrompt, seed, picture = null, endPicture = null } = order
  const scene = composeScene({ prompt, negativePrompt, seed })
  const studio = { makeCanvas: createCanvas, fontFamily: loadCaptionFonts() }
  const size = frameSize(order.aspectRatio)
  return openAnimation({ scene, ...size, caption, picture, endPicture }, studio)
}

type Listeners = {
  /** Receives a JPEG of the first frame. */
  onStill(jpeg: Uint8Array): Promise<void>
  /** Receives 0..1 after each frame. */
  onProgress(progress: number): void
}

/**
 * Renders an order as an MP4 file: H.264, 24 frames per second, index first. Equal orders give equal
 * frames. Throws on errors of the encoder.
 */
export async function renderClip(
  order: AnimationOrder,
  { onStill, onProgress }: Listeners,
): Promise<Uint8Array> {
  const size = frameSize(order.aspectRatio)
  const animation = animationOf(order)
  const canvas = createCanvas(size.width, size.height)
  const pen = canvas.getContext('2d')
  const encoding = openEncoder(size)
  const frames = order.durationSeconds * FRAMES_PER_SECOND
  for (let index = 0; index < frames; index += 1) {
    animation.draw(pen, { seconds: index / FRAMES_PER_SECOND, progress: index / (frames - 1) })
    if (index === 0) await onStill(stillOf(canvas))
    const frame = new VideoFrame(canvas, {
      timestamp: Math.round((index * 1_000_000) / FRAMES_PER_SECOND),
      duration: Math.round(1_000_000 / FRAMES_PER_SECOND),
    })
    await encoding.encode(frame, index)
    onProgress((index + 1) / frames)
  }
  return mux(await encoding.finish())
}

const STILL_SIDE = 240

/** Returns a JPEG with a short side of 240 pixels, about 10 kB large. */
function stillOf(canvas: Canvas): Uint8Array {
  const scale = STILL_SIDE / Math.min(canvas.width, canvas.height)
  const still = createCanvas(Math.round(canvas.width * scale), Math.round(canvas.height * scale))
  still.getContext('2d').drawImage(canvas, 0, 0, still.width, still.height)
  return still.toBuffer('image/jpeg', 72)
}

type Encoded = { packets: readonly EncodedPacket[]; config: VideoDecoderConfig }
type Encoding = {
  encode(frame: VideoFrame, index: number): Promise<void>
  finish(): Promise<Encoded>
}

function openEncoder({ width, height }: Size): Encoding {
  const packets: EncodedPacket[] = []
  const heard: { config?: VideoDecoderConfig; error?: Error } = {}
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const seconds = chunk.timestamp / 1_000_000
      packets.push(new EncodedPacket(data, chunk.type, seconds, 1 / FRAMES_PER_SECOND))
      const description = metadata?.decoderConfig?.description
      if (description) heard.config = decoderConfig({ width, height }, description)
    },
    error(error) {
      heard.error = error
    },
  })
  encoder.configure({
    codec: 'avc1.64001f',
    width,
    height,
    bitrate: BITS_PER_SECOND,
    framerate: FRAMES_PER_SECOND,
    hardwareAcceleration: 'prefer-software',
    latencyMode: 'quality',
    avc: { format: 'avc' },
  })
  return {
    async encode(frame, index) {
      encoder.encode(frame, { keyFrame: index % KEY_FRAME_EVERY === 0 })
      frame.close()
      if (index % COLLECT_EVERY === 0) globalThis.gc?.()
      const patientUntil = Date.now() + PATIENCE_MS
      const isFull = (): boolean => index + 1 - packets.length > MOST_IN_FLIGHT
      while (isFull() && !heard.error && Date.now() < patientUntil) await sleep(1)
      if (heard.error) throw heard.error
    },
    async finish() {
      await encoder.flush()
      encoder.close()
      if (heard.error) throw heard.error
      if (!heard.config) throw new Error('the encoder gave no decoder configuration')
      return { packets, config: heard.config }
    },
  }
}

/**
 * Returns the decoder configuration with the real colour space. The encoder converts RGB with BT.601
 * factors to limited range (measured: pure red becomes Y 81, U 90, V 240), but reports the colours of
 * its input.
 */
function decoderConfig({ width, height }: Size, description: Uint8Array): VideoDecoderConfig {
  return {
    codec: 'avc1.64001f',
    codedWidth: width,
    codedHeight: height,
    description: description.slice(),
    colorSpace: {
      primaries: 'bt709',
      transfer: 'bt709',
      matrix: 'smpte170m',
      fullRange: false,
    },
  }
}

async function mux({ packets, config }: Encoded): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND })
  await output.start()
  for (const packet of packets) await source.add(packet, { decoderConfig: config })
  await output.finalize()
  if (target.buffer === null) throw new Error('the muxer gave no file')
  return new Uint8Array(target.buffer)
}
