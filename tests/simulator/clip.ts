import { createHash } from 'node:crypto'
import { glyph } from './glyphs'
import {
  keyPicture,
  laterPicture,
  pictureParameters,
  sequenceParameters,
  type Colour,
  type Still,
} from './h264'

export type ClipWish = {
  /** Drawn into the picture, one line each, of up to 10 characters. */
  lines: readonly string[]
  /** Written into the file for programs; see `clipNote`. */
  note: string
  width: number
  height: number
  seconds: number
  /** Pads a shorter file to this length with a `free` box. */
  padTo?: number
}

const RATE = 24
const TIMESCALE = 24_000
const NOTE_MARK = 'note:'
const WHITE: Colour = { y: 235, cb: 128, cr: 128 }

/**
 * Returns a playable H.264 MP4 made without an encoder: a flat colour, the lines in large
 * characters and a bar that grows with time. The same input gives the same bytes.
 */
export function makeClip(wish: ClipWish): Buffer {
  const size = { width: wish.width / 16, height: wish.height / 16 }
  const sps = sequenceParameters(size)
  const pps = pictureParameters()
  const samples = [keyPicture(stillOf(wish, size)), ...laterPictures(size, wish.seconds)].map(
    (unit) => Buffer.concat([u32(unit.length), unit]),
  )
  const head = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2avc1mp41'))
  const note = box('free', Buffer.from(`${NOTE_MARK}${wish.note}`))
  const index = (at: number): Buffer => movie({ wish, samples, sps, pps }, at)
  const dataAt = head.length + index(0).length + note.length + 8
  const file = Buffer.concat([head, index(dataAt), note, box('mdat', ...samples)])
  const missing = (wish.padTo ?? 0) - file.length
  return missing >= 8 ? Buffer.concat([file, box('free', Buffer.alloc(missing - 8))]) : file
}

/** Returns the note inside a clip made by `makeClip`; null for other files. */
export function clipNote(clip: Buffer): string | null {
  const at = clip.indexOf(`free${NOTE_MARK}`)
  if (at < 4) return null
  const size = clip.readUInt32BE(at - 4)
  return clip.toString('utf8', at + 4 + NOTE_MARK.length, at - 4 + size)
}

type Size = Pick<Still, 'width' | 'height'>

function stillOf({ lines, note }: ClipWish, { width, height }: Size): Still {
  const hash = createHash('sha256').update(note).digest()
  const ground = { y: 60 + (hash[0]! % 90), cb: 70 + (hash[1]! % 116), cr: 70 + (hash[2]! % 116) }
  const lit = new Set<number>()
  lines.forEach((line, row) => {
    Array.from(line.slice(0, 10)).forEach((sign, column) => {
      glyph(sign).forEach((pixels, dy) => {
        for (let dx = 0; dx < 3; dx += 1) {
          if (pixels[dx] === '#') lit.add((4 + row * 7 + dy) * width + 2 + column * 4 + dx)
        }
      })
    })
  })
  return { width, height, colourAt: (x, y) => (lit.has(y * width + x) ? WHITE : ground) }
}

const laterCache = new Map<string, Buffer[]>()

function laterPictures(size: Size, seconds: number): Buffer[] {
  const key = `${size.width}x${size.height}x${seconds}`
  const known = laterCache.get(key)
  if (known) return known
  const frames = seconds * RATE
  const barLength = size.width - 4
  const pictures: Buffer[] = []
  let drawn = 0
  for (let number = 1; number < frames; number += 1) {
    const due = Math.ceil((number / frames) * barLength)
    const change = due > drawn ? { x: 2 + drawn, y: size.height - 4, colour: WHITE } : null
    if (change) drawn += 1
    pictures.push(laterPicture(size, number, change))
  }
  laterCache.set(key, pictures)
  return pictures
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
const zeros = (count: number): Buffer => Buffer.alloc(count)

function box(kind: string, ...parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([u32(size), Buffer.from(kind, 'latin1'), ...parts])
}

type Movie = { wish: ClipWish; samples: readonly Buffer[]; sps: Buffer; pps: Buffer }

const MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32))

function movie({ wish, samples, sps, pps }: Movie, dataAt: number): Buffer {
  const duration = u32(samples.length * (TIMESCALE / RATE))
  const { width, height } = wish
  const mvhd = box(
    'mvhd',
    ...[zeros(12), u32(TIMESCALE), duration, u32(0x10000), u16(0x100), zeros(10), MATRIX],
    ...[zeros(24), u32(2)],
  )
  const tkhd = box(
    'tkhd',
    ...[u32(3), zeros(8), u32(1), zeros(4), duration, zeros(16), MATRIX],
    ...[u32(width * 0x10000), u32(height * 0x10000)],
  )
  const mdhd = box('mdhd', zeros(12), u32(TIMESCALE), duration, u16(0x55c4), u16(0))
  const hdlr = box('hdlr', zeros(8), Buffer.from('vide'), zeros(12), Buffer.from('Video\0'))
  const url = box('url ', u32(1))
  const dinf = box('dinf', box('dref', zeros(4), u32(1), url))
  const stbl = box('stbl', ...sampleTables({ wish, samples, sps, pps }, dataAt))
  const minf = box('minf', box('vmhd', u32(1), zeros(8)), dinf, stbl)
  return box('moov', mvhd, box('trak', tkhd, box('mdia', mdhd, hdlr, minf)))
}

function sampleTables({ wish, samples, sps, pps }: Movie, dataAt: number): Buffer[] {
  const avcC = box(
    'avcC',
    ...[Buffer.of(1), sps.subarray(1, 4), Buffer.of(0xff, 0xe1), u16(sps.length), sps],
    ...[Buffer.of(1), u16(pps.length), pps],
  )
  const avc1 = box(
    'avc1',
    ...[zeros(6), u16(1), zeros(16), u16(wish.width), u16(wish.height)],
    ...[u32(0x480000), u32(0x480000), zeros(4), u16(1), zeros(32), u16(24), u16(0xffff), avcC],
  )
  return [
    box('stsd', zeros(4), u32(1), avc1),
    box('stts', zeros(4), u32(1), u32(samples.length), u32(TIMESCALE / RATE)),
    box('stss', zeros(4), u32(1), u32(1)),
    box('stsc', zeros(4), u32(1), u32(1), u32(samples.length), u32(1)),
    box('stsz', zeros(8), u32(samples.length), ...samples.map(({ length }) => u32(length))),
    box('stco', zeros(4), u32(1), u32(dataAt)),
  ]
}
