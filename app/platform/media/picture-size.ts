/** The size of a picture in pixels, as its file says. */
export type PictureSize = { width: number; height: number }

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** Returns the size of a PNG or JPEG from its head, before it is decoded. Null: it is neither. */
export function pictureSize(bytes: Buffer): PictureSize | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) {
    if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null
}

/** Walks over the segments of a JPEG to the one that begins its picture. */
function jpegSize(bytes: Buffer): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const kind = bytes[at + 1] ?? 0
    if (beginsPicture(kind)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    // A byte of 255 may stand before a marker any number of times.
    at += kind === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** SOF0 to SOF15, without the three other markers among them. */
const beginsPicture = (kind: number): boolean =>
  kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc

/** Returns the size of a WebP from its head, or null. Its three kinds of files write it differently. */
export function webpSize(bytes: Buffer): PictureSize | null {
  const isWebp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp || bytes.length < 30) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
