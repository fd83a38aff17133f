import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  ALL_FORMATS,
  BufferSource,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { expect, test } from 'vitest'
import { joinClips } from '../../../app/platform/media/join.server'
import { drawClip } from '../../support/film-clips'

const RATE = 48_000
const PACKET = 1024 / RATE
const AAC = {
  codec: 'mp4a.40.2',
  sampleRate: RATE,
  numberOfChannels: 1,
  description: Uint8Array.of(0x11, 0x88),
}

/** Writes a clip of a second of pictures with so many packets of sound. */
async function clipWith(sounds: number, file: string): Promise<void> {
  const bytes = await drawClip({ ratio: 'portrait', seconds: 1 })
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const track = (await input.getPrimaryVideoTrack())!
  const output = new Output({ format: new Mp4OutputFormat(), target: new FilePathTarget(file) })
  const [video, audio] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(video)
  output.addAudioTrack(audio)
  await output.start()
  const meta = { decoderConfig: (await track.getDecoderConfig())! }
  for await (const packet of new EncodedPacketSink(track).packets()) await video.add(packet, meta)
  for (let i = 0; i < sounds; i++) {
    const sound = new EncodedPacket(new Uint8Array(8), 'key', i * PACKET, PACKET)
    await audio.add(sound, { decoderConfig: AAC })
  }
  await output.finalize()
}

async function timesIn(file: string) {
  const source = new BufferSource(await fs.readFile(file))
  const input = new Input({ source, formats: ALL_FORMATS })
  const timesOf = async (track: ConstructorParameters<typeof EncodedPacketSink>[0]) => {
    const times: number[] = []
    for await (const { timestamp } of new EncodedPacketSink(track).packets()) times.push(timestamp)
    return times.sort((a, b) => a - b)
  }
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  return { pictures: await timesOf(video!), sounds: await timesOf(audio!) }
}

test('issue 49: a film has the pictures of its clips without a pause at the joints, and its sound in step', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'join-'))
  const clip = path.join(folder, 'clip.mp4')
  // As encoders end it: with a packet that is longer than the pictures.
  await clipWith(48, clip)
  const one = await timesIn(clip)
  const target = path.join(folder, 'film.mp4')
  const paths = Array<string>(8).fill(clip)
  expect(await joinClips({ paths, target, onCopied: () => undefined })).toEqual({
    kind: 'joined',
    lostSound: false,
  })
  const { pictures, sounds } = await timesIn(target)
  const expected = paths.flatMap((_, n) => one.pictures.map((time) => n + time))
  expect(pictures).toHaveLength(expected.length)
  for (const [i, time] of pictures.entries()) expect(time).toBeCloseTo(expected[i]!, 3)
  // No packet is skipped or repeated but at joints, where half of one may be missing.
  for (const [i, time] of sounds.slice(1).entries())
    expect(time - sounds[i]!).toBeLessThan(1.5 * PACKET + 0.001)
  expect(Math.abs(sounds.at(-1)! + PACKET - 8)).toBeLessThan(1.5 * PACKET)
  await fs.rm(folder, { recursive: true })
})
