import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF } from 'mediabunny'
import {
  canvasOf,
  drawUpright,
  loadTools,
  openDecoder,
  pixelsOf,
  type Decoding,
  type VideoFrame,
} from './decoding.server'

const QUALITY = 95

/**
 * Returns the last picture of a clip, upright, as a JPEG. Runs in a child process, because the bytes are
 * untrusted. Throws if the clip cannot be decoded, or if the packages that decode are missing.
 */
export async function lastPicture(path: string): Promise<Buffer> {
  const tools = await loadTools()
  if (tools === null) throw new Error('the packages that decode are missing')
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (track === null) throw new Error('it has no picture track')
    const decoding = openDecoder(tools, await track.getDecoderConfig())
    try {
      const frame = await lastFrame(decoding, new EncodedPacketSink(track))
      const canvas = canvasOf(tools, await pixelsOf(frame))
      const shape = { side: Infinity, degrees: await track.getRotation() }
      return drawUpright(tools, canvas, shape).toBuffer('image/jpeg', QUALITY)
    } finally {
      decoding.close()
    }
  } finally {
    input.dispose()
  }
}

/** Decodes from the last key frame to the end, and returns the frame that is shown last. */
async function lastFrame(decoding: Decoding, sink: EncodedPacketSink): Promise<VideoFrame> {
  let last: VideoFrame | null = null
  const take = (frames: readonly VideoFrame[]) => {
    for (const frame of frames) {
      const [later, earlier] =
        last === null || frame.timestamp >= last.timestamp ? [frame, last] : [last, frame]
      earlier?.close()
      last = later
    }
    return last
  }
  const key = await sink.getKeyPacket(Infinity)
  if (key === null) throw new Error('it has no pictures')
  for await (const packet of sink.packets(key)) take(await decoding.feed(packet))
  const frame = take(await decoding.feed(null))
  if (frame === null) throw new Error('it has no pictures')
  return frame
}
