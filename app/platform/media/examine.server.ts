import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP4,
  QTFF,
  type EncodedPacket,
  type InputVideoTrack,
} from 'mediabunny'
import type { ClipInspection } from './port'
import { makePoster } from './poster.server'

/** The number of frames examined before the best so far is used. */
const MOST_FRAMES = 36
/** No provider sends more. A clip with more pixels is treated as an attack on the decoder. */
const MOST_PIXELS = 4_096 * 2_304

/**
 * Reads a clip's facts and writes its poster, if the packages for it are installed. Runs in a child
 * process, because the bytes are untrusted and may crash a decoder or exhaust memory. Throws if the
 * file is not a readable video.
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
