import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  ALL_FORMATS,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { afterAll, beforeAll, expect } from 'vitest'
import { walkBoxes } from '../../app/platform/media/boxes.server'
import { openJoiner } from '../../app/platform/media/joiner.server'
import { renderClip } from '../../renderer/render'
import { bundlePrograms } from '../support/bundle-programs'
import { slowTest, test } from '../support/slow'

const FRAME = 1 / 24
let entries: string
let folder: string
const clips: Record<string, string> = {}

beforeAll(async () => {
  entries = await bundlePrograms('join-clips')
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'join-'))
  const draw = async (
    name: string,
    seed: number,
    seconds: number,
    ratio: 'portrait' | 'landscape',
  ) => {
    const order = { prompt: 'a lake', negativePrompt: null, durationSeconds: seconds, seed }
    const bytes = await renderClip(
      { ...order, aspectRatio: ratio },
      { onStill: () => Promise.resolve(), onProgress: () => undefined },
    )
    clips[name] = path.join(folder, `${name}.mp4`)
    await fs.writeFile(clips[name], bytes)
  }
  await draw('one', 1, 1, 'portrait')
  await draw('two', 2, 2, 'portrait')
  await draw('wide', 3, 1, 'landscape')
  clips.loud = await withSound('one', 48_000)
  clips.louder = await withSound('two', 48_000)
  clips.other = await withSound('two', 44_100)
})
afterAll(async () => {
  await fs.rm(entries, { recursive: true, force: true })
  await fs.rm(folder, { recursive: true, force: true })
})

/** Adds packets of silence (AAC) to a clip. They end a little after the pictures, as is usual. */
async function withSound(name: string, sampleRate: number): Promise<string> {
  const input = open(clips[name]!)
  const video = (await input.getPrimaryVideoTrack())!
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const pictures = new EncodedVideoPacketSource((await video.getCodec())!)
  const sounds = new EncodedAudioPacketSource('aac')
  output.addVideoTrack(pictures)
  output.addAudioTrack(sounds)
  await output.start()
  const decoderConfig = (await video.getDecoderConfig())!
  for await (const packet of new EncodedPacketSink(video).packets())
    await pictures.add(packet, { decoderConfig })
  const step = 1024 / sampleRate
  const seconds = (await input.computeDuration()) + 0.01
  const aac = new Uint8Array([0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c])
  const description = new Uint8Array(sampleRate === 48_000 ? [0x11, 0x90] : [0x12, 0x10])
  const ofSound = {
    decoderConfig: { codec: 'mp4a.40.2', sampleRate, numberOfChannels: 2, description },
  }
  for (let at = 0; at < seconds; at += step)
    await sounds.add(new EncodedPacket(aac, 'key', at, step), ofSound)
  await output.finalize()
  input.dispose()
  const file = path.join(folder, `${name}-${sampleRate}.mp4`)
  await fs.writeFile(file, Buffer.from(target.buffer!))
  return file
}

const open = (file: string) => new Input({ source: new FilePathSource(file), formats: ALL_FORMATS })

/** What a file contains. */
async function examine(file: string) {
  const input = open(file)
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(video!).packets()) packets.push(packet)
  let sounds = 0
  if (audio) for await (const _ of new EncodedPacketSink(audio).packets()) sounds++
  const facts = {
    seconds: await input.computeDuration(),
    packets,
    sounds,
    hasSound: audio !== null,
  }
  input.dispose()
  return facts
}

async function join(names: string[], entry = path.join(entries, 'join-clips.js')) {
  const target = path.join(folder, `${names.join('-')}.out.mp4`)
  const copied: number[] = []
  const paths = names.map((name) => clips[name] ?? name)
  const onCopied = (count: number) => void copied.push(count)
  const end = await openJoiner(entry)({ paths, target, onCopied })
  return { end, target, copied }
}

test('U-JOIN-1: the packets of all clips are in one file, in order and unchanged', async () => {
  const names = ['two', 'one', 'two']
  const { end, target, copied } = await join(names)
  expect(end).toEqual({ kind: 'joined', lostSound: false })
  expect(copied).toEqual([1, 2, 3])
  const walk = await walkBoxes(target)
  if (!walk.ok) throw new Error(walk.reason)
  const kinds = walk.boxes.map(({ kind }) => kind)
  expect(kinds.indexOf('moov')).toBeLessThan(kinds.indexOf('mdat'))
  const parts = await Promise.all(names.map((name) => examine(clips[name]!)))
  const film = await examine(target)
  const sum = parts.reduce((all, { seconds }) => all + seconds, 0)
  expect(Math.abs(film.seconds - sum)).toBeLessThanOrEqual(FRAME)
  const expected = parts.flatMap(({ packets }) => packets)
  expect(film.packets.map(({ data }) => Buffer.from(data).toString('base64'))).toEqual(
    expected.map(({ data }) => Buffer.from(data).toString('base64')),
  )
  const times = film.packets.map(({ timestamp }) => timestamp)
  expect(times.slice(1).every((time, i) => Math.abs(time - times[i]! - FRAME) < 0.001)).toBe(true)
})

test('U-JOIN-2: clips of another size are refused, and one that cannot be read', async () => {
  expect((await join(['one', 'wide'])).end).toEqual({ kind: 'different' })
  const broken = path.join(folder, 'broken.mp4')
  await fs.writeFile(broken, 'no clip')
  expect((await join(['one', broken])).end).toMatchObject({ kind: 'unreadable' })
})

test('U-JOIN-2: a clip that was cut off is refused, and not joined in part', async () => {
  const bytes = await fs.readFile(clips.two!)
  const cut = path.join(folder, 'cut.mp4')
  for (const length of [bytes.length - 1, bytes.length >> 1, 3_000, 1_500, 600]) {
    await fs.writeFile(cut, bytes.subarray(0, length))
    expect((await join(['one', cut])).end, `${length}`).toMatchObject({ kind: 'unreadable' })
  }
})

test('U-JOIN-3: sound is kept if all clips have the same kind, and is left out otherwise', async () => {
  const parts = await Promise.all(['loud', 'louder'].map((name) => examine(clips[name]!)))
  const kept = await join(['loud', 'louder'])
  expect(kept.end).toEqual({ kind: 'joined', lostSound: false })
  const film = await examine(kept.target)
  // The packet with which an encoder begins early may lie before the joint.
  expect([0, 1]).toContain(parts[0]!.sounds + parts[1]!.sounds - film.sounds)
  expect(Math.abs(film.seconds - parts[0]!.seconds - parts[1]!.seconds)).toBeLessThanOrEqual(FRAME)
  for (const names of [
    ['loud', 'two'],
    ['one', 'louder'],
    ['loud', 'other'],
  ]) {
    const { end, target } = await join(names)
    expect(end).toEqual({ kind: 'joined', lostSound: true })
    expect((await examine(target)).hasSound).toBe(false)
  }
})

slowTest('U-JOIN-4: a child that uses too much memory or says nonsense is ended', async () => {
  const program = async (name: string, source: string) => {
    const entry = path.join(folder, `${name}.mjs`)
    await fs.writeFile(entry, source)
    return entry
  }
  const greedy = await program(
    'greedy',
    `const kept = []; process.on('message', () => setInterval(() => kept.push(Buffer.alloc(5e7, 1)), 5))`,
  )
  expect((await join(['one'], greedy)).end).toEqual({ kind: 'unreadable', reason: 'SIGKILL' })
  const strange = await program(
    'strange',
    `process.on('message', () => process.send({ kind: 'x' }))`,
  )
  expect((await join(['one'], strange)).end).toMatchObject({ kind: 'unreadable' })
})
