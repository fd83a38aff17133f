// H.264 pictures without an encoder: macroblocks of 16x16 pixels in one flat colour each, either
// stored raw (I_PCM) or predicted from a neighbour of the same colour. Every decoder reads them.

export type Colour = { y: number; cb: number; cr: number }

export type Still = {
  /** In macroblocks. */
  width: number
  height: number
  colourAt(x: number, y: number): Colour
}

/** A later picture: the previous one with one macroblock repainted, or unchanged. */
export type Change = { x: number; y: number; colour: Colour } | null

/** The constrained baseline profile, level 3.1. */
const PROFILE = [66, 0xc0, 31]
const FRAME_NUM_BITS = 8

const I_PCM = 25
const I_PCM_IN_P = 30
const PREDICT_VERTICAL = { mbType: 1, chroma: 2 }
const PREDICT_HORIZONTAL = { mbType: 2, chroma: 1 }

function bitWriter() {
  const bytes: number[] = []
  let current = 0
  let free = 8
  const bit = (value: number): void => {
    free -= 1
    current |= (value & 1) << free
    if (free > 0) return
    bytes.push(current)
    current = 0
    free = 8
  }
  const bits = (value: number, count: number): void => {
    for (let at = count - 1; at >= 0; at -= 1) bit(value >> at)
  }
  const unsigned = (value: number): void => {
    const length = 32 - Math.clz32(value + 1)
    bits(0, length - 1)
    bits(value + 1, length)
  }
  return {
    bits,
    unsigned,
    signed: (value: number): void => unsigned(value > 0 ? 2 * value - 1 : -2 * value),
    pcm({ y, cb, cr }: Colour): void {
      while (free < 8) bit(0)
      for (let at = 0; at < 256; at += 1) bytes.push(y)
      for (let at = 0; at < 64; at += 1) bytes.push(cb)
      for (let at = 0; at < 64; at += 1) bytes.push(cr)
    },
    end(): number[] {
      bit(1)
      while (free < 8) bit(0)
      return bytes
    },
  }
}

/** Returns a NAL unit with the bytes that prevent a start code inside it. */
function nal(type: number, refIdc: number, payload: readonly number[]): Buffer {
  const out = [(refIdc << 5) | type]
  let zeros = 0
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3)
      zeros = 0
    }
    out.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(out)
}

export function sequenceParameters({ width, height }: Pick<Still, 'width' | 'height'>): Buffer {
  const out = bitWriter()
  for (const byte of PROFILE) out.bits(byte, 8)
  out.unsigned(0)
  out.unsigned(FRAME_NUM_BITS - 4)
  // Output order is decoding order.
  out.unsigned(2)
  out.unsigned(1)
  out.bits(0, 1)
  out.unsigned(width - 1)
  out.unsigned(height - 1)
  out.bits(0b1100, 4)
  return nal(7, 3, out.end())
}

export function pictureParameters(): Buffer {
  const out = bitWriter()
  out.unsigned(0)
  out.unsigned(0)
  out.bits(0, 2)
  out.unsigned(0)
  out.unsigned(0)
  out.unsigned(0)
  out.bits(0, 3)
  out.signed(0)
  out.signed(0)
  out.signed(0)
  // Deblocking can be disabled per slice.
  out.bits(0b100, 3)
  return nal(8, 3, out.end())
}

const alike = (one: Colour, other: Colour): boolean =>
  one.y === other.y && one.cb === other.cb && one.cr === other.cr

export function keyPicture(still: Still): Buffer {
  const { width, height, colourAt } = still
  const out = bitWriter()
  out.unsigned(0)
  out.unsigned(7)
  out.unsigned(0)
  out.bits(0, FRAME_NUM_BITS)
  out.unsigned(0)
  out.bits(0, 2)
  out.signed(0)
  out.unsigned(1)
  const written = new Set<number>()
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colourAt(x, y)
      const left = x > 0 && alike(colourAt(x - 1, y), colour)
      const above = y > 0 && alike(colourAt(x, y - 1), colour)
      if (!left && !above) {
        out.unsigned(I_PCM)
        out.pcm(colour)
        written.add(y * width + x)
        continue
      }
      const how = left ? PREDICT_HORIZONTAL : PREDICT_VERTICAL
      out.unsigned(how.mbType)
      out.unsigned(how.chroma)
      out.signed(0)
      // The code for "no coefficients" depends on how many the neighbours have. A raw one counts as
      // full.
      const isBesideFull =
        (x > 0 && written.has(y * width + x - 1)) || (y > 0 && written.has((y - 1) * width + x))
      if (isBesideFull) out.bits(0b000011, 6)
      else out.bits(1, 1)
    }
  }
  return nal(5, 3, out.end())
}

export function laterPicture(
  { width, height }: Pick<Still, 'width' | 'height'>,
  number: number,
  change: Change,
): Buffer {
  const out = bitWriter()
  out.unsigned(0)
  out.unsigned(5)
  out.unsigned(0)
  out.bits(number % (1 << FRAME_NUM_BITS), FRAME_NUM_BITS)
  out.bits(0, 3)
  out.signed(0)
  out.unsigned(1)
  const all = width * height
  if (change === null) {
    out.unsigned(all)
    return nal(1, 2, out.end())
  }
  const before = change.y * width + change.x
  out.unsigned(before)
  out.unsigned(I_PCM_IN_P)
  out.pcm(change.colour)
  if (before + 1 < all) out.unsigned(all - before - 1)
  return nal(1, 2, out.end())
}
