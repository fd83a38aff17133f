import { setTimeout as sleep } from 'node:timers/promises'
import type * as drawingPackage from '@napi-rs/canvas'
import type * as codecsPackage from '@napi-rs/webcodecs'
import type { EncodedPacket } from 'mediabunny'

// Decoding of clips, for the programs that look at them in a process of their own.

export type Canvas = drawingPackage.Canvas
export type VideoFrame = codecsPackage.VideoFrame
type EncodedVideoChunkInit = codecsPackage.EncodedVideoChunkInit
export type Tools = { drawing: typeof drawingPackage; codecs: typeof codecsPackage }

/**
 * Loads the packages that decode and draw. Returns null if they are missing: an installation may
 * omit them (decision 48), and some platforms have no build of them. A clip must not be rejected
 * for that.
 */
export async function loadTools(): Promise<Tools | null> {
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

export type Decoding = {
  /** Decodes one packet, or with null flushes the decoder. Returns the decoded frames. */
  feed(packet: EncodedPacket | null): Promise<readonly VideoFrame[]>
  close(): void
}

/** Opens a decoder. Throws if the clip does not say how it is decoded. */
export function openDecoder({ codecs }: Tools, config: VideoDecoderConfig | null): Decoding {
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

/** Returns a frame's pixels, and closes it. */
export async function pixelsOf(frame: VideoFrame): Promise<Pixels> {
  const { codedWidth: width, codedHeight: height } = frame
  const pixels = new Uint8ClampedArray(width * height * 4)
  await frame.copyTo(new Uint8Array(pixels.buffer), { format: 'RGBA' })
  frame.close()
  return { pixels, width, height }
}

type Pixels = { pixels: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }

/** Draws pixels on a canvas. */
export function canvasOf({ drawing }: Tools, { pixels, width, height }: Pixels): Canvas {
  const canvas = drawing.createCanvas(width, height)
  canvas.getContext('2d').putImageData(new drawing.ImageData(pixels, width, height), 0, 0)
  return canvas
}

type Shape = { side: number; degrees: number }

/** Draws a picture upright, with a short side of at most `side` pixels. */
export function drawUpright({ drawing }: Tools, canvas: Canvas, { side, degrees }: Shape): Canvas {
  const { width, height } = canvas
  const scale = Math.min(1, side / Math.min(width, height))
  const [wide, tall] = [Math.round(width * scale), Math.round(height * scale)]
  const lying = degrees % 180 !== 0
  const upright = drawing.createCanvas(lying ? tall : wide, lying ? wide : tall)
  const pen = upright.getContext('2d')
  pen.imageSmoothingQuality = 'high'
  pen.translate(upright.width / 2, upright.height / 2)
  pen.rotate((degrees * Math.PI) / 180)
  pen.drawImage(canvas, -wide / 2, -tall / 2, wide, tall)
  return upright
}
