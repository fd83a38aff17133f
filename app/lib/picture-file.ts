// What the file of a picture says about it, without decoding it. The server and the preview in the browser
// both ask this file, so what is shown is what is used.

export type PictureKind = 'jpeg' | 'png' | 'webp'

export type PictureFile = {
  kind: PictureKind
  /** In pixels, as stored: before it is turned. */
  width: number
  height: number
  /** How it is turned and mirrored to be upright: 1 to 8, as in Exif. */
  orientation: number
  /** Where the metadata that say so begin. */
  orientationAt: number | null
  /** Whether the file reaches to its end. Bytes behind that are harmless. */
  hasEnd: boolean
}

/** Reads the head of a JPEG, PNG or WebP. Null: it is none, or says no size. */
export function readPictureFile(bytes: Uint8Array): PictureFile | null {
  const file = fileOf(bytes)
  return file !== null && file.width * file.height > 0 ? file : null
}

function fileOf(bytes: Uint8Array): PictureFile | null {
  if (textAt(bytes, 1, 3) === 'PNG' && bytes[0] === 0x89) return readPng(bytes)
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return readWebp(bytes)
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? readJpeg(bytes) : null
}

/** A part of a file: its name, or the number of its marker, and where its data begin and end. */
export type Part<Name> = { name: Name; from: number; to: number }

/** Returns the chunks of a PNG, as far as they are whole, to its end. */
export function* pngChunks(bytes: Uint8Array): Generator<Part<string>, void> {
  const view = viewOf(bytes)
  for (let at = 8; at + 12 <= bytes.length;) {
    const [from, name] = [at + 8, textAt(bytes, at + 4, 4)]
    const to = from + view.getUint32(at)
    if (to + 4 > bytes.length) return
    yield { name, from, to }
    if (name === 'IEND') return
    at = to + 4
  }
}

function readPng(bytes: Uint8Array): PictureFile | null {
  if (textAt(bytes, 12, 4) !== 'IHDR' || bytes.length < 24) return null
  const view = viewOf(bytes)
  const size = { width: view.getUint32(16), height: view.getUint32(20) }
  let exif: number | null = null
  let hasEnd = false
  let isBeforeData = true
  for (const { name, from } of pngChunks(bytes)) {
    if (name === 'IDAT') isBeforeData = false
    // Browsers read it before the data only, and the last one.
    if (name === 'eXIf' && isBeforeData) exif = from
    if (name === 'IEND') hasEnd = true
  }
  return { kind: 'png', ...size, hasEnd, ...orientationIn(bytes, exif) }
}

const EXIF_FLAG = 8

/** The three kinds of WebP write the size differently. */
function readWebp(bytes: Uint8Array): PictureFile | null {
  if (bytes.length < 30) return null
  const view = viewOf(bytes)
  const end = 8 + view.getUint32(4, true)
  let exif: number | null = null
  let hasPixels = false
  for (let at = 12; at + 8 <= end;) {
    const [name, from] = [textAt(bytes, at, 4), at + 8]
    const to = from + (at + 8 <= bytes.length ? view.getUint32(at + 4, true) : Infinity)
    if (to > Math.min(end, bytes.length)) break
    if (name === 'VP8 ' || name === 'VP8L' || name === 'ANMF') hasPixels = true
    if (name === 'EXIF') exif ??= from
    at = to + (to % 2)
  }
  const size = webpSize(view, textAt(bytes, 12, 4))
  if (size === null) return null
  const isExtended = textAt(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & EXIF_FLAG) > 0
  const hasEnd = hasPixels && end <= bytes.length
  return { kind: 'webp', ...size, hasEnd, ...orientationIn(bytes, isExtended ? exif : null) }
}

function webpSize(view: DataView, kind: string): { width: number; height: number } | null {
  switch (kind) {
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      }
    default:
      return null
  }
}

export const JPEG = { APP1: 0xe1, DHT: 0xc4, DRI: 0xdd, EOI: 0xd9, SOS: 0xda } as const

/** SOF0 to SOF15, without the three other markers among them. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/**
 * Returns the segments of a JPEG, as far as they are whole, to its end. That of a scan is its head; its
 * pixels follow up to the next segment.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<Part<number>, void> {
  const view = viewOf(bytes)
  for (let at = 2; at + 2 <= bytes.length && bytes[at] === 0xff;) {
    const name = bytes[at + 1] ?? 0
    if (name === 0xff) {
      // A byte of 255 may stand before a marker any number of times.
      at += 1
      continue
    }
    if (name === JPEG.EOI) yield { name, from: at + 2, to: at + 2 }
    if (name === JPEG.EOI) return
    if (at + 4 > bytes.length) return
    const [from, to] = [at + 4, at + 2 + view.getUint16(at + 2)]
    if (to < from || to > bytes.length) return
    yield { name, from, to }
    at = name === JPEG.SOS ? endOfPixels(bytes, to) : to
  }
}

/** Returns where the next marker is that is no part of the pixels, or the length of the file. */
function endOfPixels(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    const belongs = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!belongs) return at
  }
  return bytes.length
}

function readJpeg(bytes: Uint8Array): PictureFile | null {
  const view = viewOf(bytes)
  let size: { width: number; height: number } | null = null
  let exif: number | null = null
  let hasScan = false
  let hasEnd = false
  for (const { name, from, to } of jpegSegments(bytes)) {
    if (isFrame(name) && to - from >= 6)
      size ??= { height: view.getUint16(from + 1), width: view.getUint16(from + 3) }
    if (name === JPEG.APP1 && textAt(bytes, from, 6) === EXIF) exif ??= from
    hasScan ||= name === JPEG.SOS
    hasEnd ||= name === JPEG.EOI
  }
  if (size === null) return null
  return { kind: 'jpeg', ...size, hasEnd: hasScan && hasEnd, ...orientationIn(bytes, exif) }
}

const EXIF = 'Exif\0\0'
const ORIENTATION = 0x0112
const SHORT = 3

/** Reads the orientation in Exif metadata that begin at a place. What is no orientation is 1. */
function orientationIn(
  bytes: Uint8Array,
  exif: number | null,
): Pick<PictureFile, 'orientation' | 'orientationAt'> {
  const none = { orientation: 1, orientationAt: null }
  if (exif === null) return none
  // JPEG always has the word before them, the others rarely.
  const at = exif + (textAt(bytes, exif, EXIF.length) === EXIF ? EXIF.length : 0)
  const order = textAt(bytes, at, 2)
  if ((order !== 'II' && order !== 'MM') || at + 8 > bytes.length) return none
  const isLittle = order === 'II'
  const view = viewOf(bytes)
  const list = at + view.getUint32(at + 4, isLittle)
  const count = list + 2 <= bytes.length ? view.getUint16(list, isLittle) : 0
  for (let entry = list + 2, i = 0; i < count && entry + 12 <= bytes.length; i++, entry += 12) {
    if (view.getUint16(entry, isLittle) !== ORIENTATION) continue
    const value = view.getUint16(entry + 8, isLittle)
    const isOne = view.getUint16(entry + 2, isLittle) === SHORT && value >= 1 && value <= 8
    return { orientation: isOne ? value : 1, orientationAt: at }
  }
  return none
}

/** Returns whether a picture of an orientation lies on its side as stored. */
export const liesOnSide = (orientation: number): boolean => orientation > 4

type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number]

/** Returns the transformation of a canvas that draws a picture upright, its corner at the origin. */
export function uprightMatrix({
  orientation,
  width,
  height,
}: Pick<PictureFile, 'orientation' | 'width' | 'height'>): Matrix {
  const matrices: Matrix[] = [
    [1, 0, 0, 1, 0, 0],
    [-1, 0, 0, 1, width, 0],
    [-1, 0, 0, -1, width, height],
    [1, 0, 0, -1, 0, height],
    [0, 1, 1, 0, 0, 0],
    [0, 1, -1, 0, height, 0],
    [0, -1, -1, 0, height, width],
    [0, -1, 1, 0, 0, width],
  ]
  return matrices[orientation - 1] ?? [1, 0, 0, 1, 0, 0]
}

/**
 * Returns the file without its orientation, so that whatever decodes it shows it as stored: decoders differ in
 * which metadata they believe.
 */
export function withoutOrientation(
  bytes: Uint8Array,
  { orientationAt }: PictureFile,
): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes)
  if (orientationAt !== null) copy.fill(0, orientationAt, orientationAt + 4)
  return copy
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))
