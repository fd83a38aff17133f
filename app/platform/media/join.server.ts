import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  type EncodedPacket,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny'
import type { ClipJoin } from './port'

/** Those in which clips are delivered. */
const FORMATS = [MP4, QTFF]

type Clip = {
  path: string
  /** What the tracks of two clips must have in common, as text. Null: no sound. */
  picture: string
  sound: string | null
  pictures: number
  sounds: number
  /** In seconds, within the clip: when its pictures begin and end, or its sound if it has more (`span`). */
  start: number
  end: number
}

type Join = { paths: readonly string[]; target: string; onCopied: (clips: number) => void }

/**
 * Joins clips into the MP4 `target`, with its index first. Runs in a child process, because the
 * bytes are untrusted. Throws if a file is not a readable video.
 */
export async function joinClips({ paths, target, onCopied }: Join): Promise<ClipJoin> {
  const clips: Clip[] = []
  for (const path of paths) clips.push(await withInput(path, (input) => lookAt(path, input)))
  const [first] = clips
  if (first === undefined) return { kind: 'unreadable', reason: 'there are no clips' }
  if (clips.some(({ picture }) => picture !== first.picture)) return { kind: 'different' }
  const keepsSound = clips.every(({ sound }) => sound !== null && sound === first.sound)
  await write(clips, { target, keepsSound, onCopied })
  const file = await withInput(target, (input) => lookAt(target, input))
  const pictures = clips.reduce((sum, clip) => sum + clip.pictures, 0)
  if (file.pictures !== pictures) throw new Error('the joined file is not whole')
  return { kind: 'joined', lostSound: !keepsSound && clips.some(({ sound }) => sound !== null) }
}

async function withInput<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
  const input = new Input({ source: new FilePathSource(path), formats: FORMATS })
  try {
    return await work(input)
  } finally {
    input.dispose()
  }
}

async function lookAt(path: string, input: Input): Promise<Clip> {
  const { video, audio } = await tracksOf(input)
  const pictures = await measure(video)
  const sounds = audio === null ? null : await measure(audio)
  return {
    path,
    picture: await describePicture(video),
    sound: audio === null ? null : await describeSound(audio),
    pictures: pictures.packets,
    sounds: sounds?.packets ?? 0,
    ...span(pictures, sounds),
  }
}

type Times = { start: number; end: number }

/**
 * Encoders of sound begin a packet or two early and fill the last one, so that the sound of a clip is longer
 * than its pictures by up to that many seconds. A film that waited for it would stand still at each joint.
 */
const FILLED = 0.1

const span = (pictures: Times, sounds: Times | null): Times => ({
  start: sounds && sounds.start < pictures.start - FILLED ? sounds.start : pictures.start,
  end: sounds && sounds.end > pictures.end + FILLED ? sounds.end : pictures.end,
})

async function tracksOf(input: Input) {
  const video = await input.getPrimaryVideoTrack()
  if (video === null) throw new Error('it has no picture track')
  return { video, audio: await input.getPrimaryAudioTrack() }
}

async function measure(track: InputVideoTrack | InputAudioTrack) {
  let [packets, start, end] = [0, Infinity, -Infinity]
  const index = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })
  for await (const { timestamp, duration } of index) {
    packets += 1
    start = Math.min(start, timestamp)
    end = Math.max(end, timestamp + duration)
  }
  if (packets === 0) throw new Error('a track of it is empty')
  return { packets, start, end }
}

async function describePicture(track: InputVideoTrack): Promise<string> {
  const config = await track.getDecoderConfig()
  return JSON.stringify([
    await track.getCodec(),
    await track.getDisplayWidth(),
    await track.getDisplayHeight(),
    await track.getRotation(),
    config && [config.codec, config.codedWidth, config.codedHeight, config.colorSpace],
    textOf(config?.description),
  ])
}

async function describeSound(track: InputAudioTrack): Promise<string> {
  const config = await track.getDecoderConfig()
  return JSON.stringify([
    await track.getCodec(),
    config && [config.codec, config.sampleRate, config.numberOfChannels],
    textOf(config?.description),
  ])
}

function textOf(source: AllowSharedBufferSource | undefined): string {
  if (source === undefined) return ''
  const bytes = ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source)
  return bytes.toString('base64')
}

type Plan = Pick<Join, 'target' | 'onCopied'> & { keepsSound: boolean }

async function write(
  clips: readonly Clip[],
  { target, keepsSound, onCopied }: Plan,
): Promise<void> {
  // The index is written into a place that is kept free for it, so that no clip is kept in memory.
  const format = new Mp4OutputFormat({ fastStart: 'reserve' })
  const output = new Output({ format, target: new FilePathTarget(target) })
  const file = await openTracks(output, clips, keepsSound)
  let at = 0
  for (const [index, clip] of clips.entries()) {
    const copied = await withInput(clip.path, (input) => copy(input, file, at - clip.start))
    // The reader ends without an error where a file was cut off.
    const isWhole =
      copied.pictures === clip.pictures && (!keepsSound || copied.sounds === clip.sounds)
    if (!isWhole) throw new Error('a clip ends too early')
    at += clip.end - clip.start
    onCopied(index + 1)
  }
  await output.finalize()
}

type Copied = Pick<Clip, 'pictures' | 'sounds'>
type File = {
  video: EncodedVideoPacketSource
  audio: EncodedAudioPacketSource | null
  /** When the sound that has been written ends, in seconds. */
  soundEnd: number
}

async function openTracks(
  output: Output,
  clips: readonly Clip[],
  keepsSound: boolean,
): Promise<File> {
  const sum = (count: (clip: Clip) => number) => clips.reduce((all, one) => all + count(one), 0)
  const [first] = clips
  if (first === undefined) throw new Error('there are no clips')
  const { codecs, rotation } = await withInput(first.path, kindsOf)
  const video = new EncodedVideoPacketSource(codecs.video)
  output.addVideoTrack(video, { rotation, maximumPacketCount: sum(({ pictures }) => pictures) })
  const audio =
    keepsSound && codecs.audio !== null ? new EncodedAudioPacketSource(codecs.audio) : null
  if (audio !== null) {
    output.addAudioTrack(audio, { maximumPacketCount: sum(({ sounds }) => sounds) })
  }
  await output.start()
  return { video, audio, soundEnd: 0 }
}

async function kindsOf(input: Input) {
  const { video, audio } = await tracksOf(input)
  const codec = await video.getCodec()
  if (codec === null) throw new Error('its codec is unknown')
  const codecs = { video: codec, audio: audio === null ? null : await audio.getCodec() }
  return { codecs, rotation: await video.getRotation() }
}

/**
 * Copies the packets of a clip, moved by `shift` seconds. Pictures and sound alternate by their
 * time, because the writer keeps what is ahead of the other track in memory. Returns how many it
 * has read.
 */
async function copy(input: Input, file: File, shift: number): Promise<Copied> {
  const { video, audio } = await tracksOf(input)
  const moved = (packet: EncodedPacket) => packet.clone({ timestamp: packet.timestamp + shift })
  const pictures = new EncodedPacketSink(video).packets()
  const sounds = audio && file.audio ? new EncodedPacketSink(audio).packets() : null
  const ofPicture = metaOf(await video.getDecoderConfig())
  const ofSound = metaOf((await audio?.getDecoderConfig()) ?? null)
  const copied: Copied = { pictures: 0, sounds: 0 }
  let [picture, sound] = [await nextOf(pictures), await nextOf(sounds)]
  while (picture !== null || sound !== null) {
    if (picture !== null && (sound === null || picture.timestamp <= sound.timestamp)) {
      await file.video.add(moved(picture), ofPicture)
      copied.pictures += 1
      picture = await nextOf(pictures)
    } else if (sound !== null) {
      const next = inStep(moved(sound), file.soundEnd)
      if (next !== null) {
        await file.audio?.add(next, ofSound)
        file.soundEnd = next.timestamp + next.duration
      }
      copied.sounds += 1
      sound = await nextOf(sounds)
    }
  }
  return copied
}

/**
 * Returns a packet of sound as it follows what ends at `end`, or null if more than half of it lies before: at
 * a joint the sound of two clips overlaps by a part of a packet. Each clip begins at its own time, so that
 * the differences do not add up.
 */
function inStep(packet: EncodedPacket, end: number): EncodedPacket | null {
  const late = packet.timestamp - end
  if (late < -packet.duration / 2) return null
  return late < packet.duration / 2 ? packet.clone({ timestamp: end }) : packet
}

const metaOf = <Config>(config: Config | null): { decoderConfig?: Config } =>
  config === null ? {} : { decoderConfig: config }

async function nextOf(packets: AsyncGenerator<EncodedPacket> | null) {
  const next = await packets?.next()
  return next === undefined || next.done ? null : next.value
}
