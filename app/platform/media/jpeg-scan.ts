import { isFrame, JPEG, jpegSegments, type Part } from '~/lib/picture-file'

// Counts whether the pixels of a JPEG are all in its file. Decoders fill what is missing with grey or black
// and do not say so (ITU-T T.81; names in brackets are its own).

type Component = { id: number; across: number; down: number }
type Frame = { width: number; height: number; isProgressive: boolean; components: Component[] }

/** For the next 16 bits: the length of their code and its symbol, or 0 for no code. */
type Table = Uint16Array

/**
 * Returns whether the scans that draw the whole picture for the first time have data for all of it. Those of a
 * progressive JPEG that only refine it are not looked at.
 */
export function hasAllPixels(bytes: Uint8Array): boolean {
  const tables = new Map<number, Table>()
  let frame: Frame | null = null
  let interval = 0
  const drawn = new Set<number>()
  for (const part of jpegSegments(bytes)) {
    const data = bytes.subarray(part.from, part.to)
    if (isFrame(part.name)) frame ??= readFrame(part.name, data)
    if (part.name === JPEG.DHT) readTables(data, tables)
    if (part.name === JPEG.DRI) interval = word(data, 0)
    if (part.name !== JPEG.SOS) continue
    const scan = frame && readScan(data, frame, tables)
    if (frame === null || scan === null) continue
    if (!isWhole(bytes, part, { ...scan, frame, interval })) return false
    for (const { id } of scan.components) drawn.add(id)
  }
  return frame?.components.every(({ id }) => drawn.has(id)) ?? false
}

const word = (data: Uint8Array, at: number) => ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0)

function readFrame(name: number, data: Uint8Array): Frame {
  const components = Array.from({ length: data[5] ?? 0 }, (_, i) => {
    const [id = 0, sampling = 0] = data.subarray(6 + i * 3)
    return { id, across: sampling >> 4 || 1, down: sampling & 15 || 1 }
  })
  return { height: word(data, 1), width: word(data, 3), isProgressive: name === 0xc2, components }
}

/** Reads the tables of a segment (DHT) under their class and number. */
function readTables(data: Uint8Array, tables: Map<number, Table>): void {
  for (let at = 0; at + 17 <= data.length;) {
    const table: Table = new Uint16Array(65_536)
    const counts = data.subarray(at + 1, at + 17)
    let symbol = at + 17
    let code = 0
    for (const [i, count] of counts.entries()) {
      for (let n = 0; n < count; n++, code++) {
        const [first, width] = [code << (15 - i), 1 << (15 - i)]
        table.fill(((i + 1) << 8) | (data[symbol++] ?? 0), first, first + width)
      }
      code <<= 1
    }
    tables.set(data[at] ?? 0, table)
    at = symbol
  }
}

type ScanComponent = Component & { dc: Table; ac: Table }
type Scan = { components: ScanComponent[]; isDcOnly: boolean }

const NO_CODES: Table = new Uint16Array(65_536)

/** Reads the head of a scan (SOS). Null: it refines what another one has drawn. */
function readScan(data: Uint8Array, frame: Frame, tables: Map<number, Table>): Scan | null {
  const count = data[0] ?? 0
  const [from = 0, , approximation = 0] = data.subarray(1 + count * 2)
  if (frame.isProgressive && (from !== 0 || approximation >> 4 !== 0)) return null
  const components = Array.from({ length: count }, (_, i) => {
    const [id = 0, numbers = 0] = data.subarray(1 + i * 2)
    const known = frame.components.find((component) => component.id === id)
    const dc = tables.get(numbers >> 4) ?? NO_CODES
    const ac = tables.get(0x10 | (numbers & 15)) ?? NO_CODES
    return { id, across: known?.across ?? 1, down: known?.down ?? 1, dc, ac }
  })
  return { components, isDcOnly: frame.isProgressive }
}

/** Reads a scan unit by unit (MCU), and returns whether its data last for all of them. */
function isWhole(
  bytes: Uint8Array,
  { to }: Part<number>,
  { components, isDcOnly, frame, interval }: Scan & { frame: Frame; interval: number },
): boolean {
  const bits = openBits(bytes, to)
  const units = unitsOf(frame, components)
  const isAlone = components.length === 1
  const blocks = components.flatMap((component) =>
    Array.from({ length: isAlone ? 1 : component.across * component.down }, () => component),
  )
  for (let unit = 0; unit < units; unit++) {
    if (interval > 0 && unit > 0 && unit % interval === 0 && !bits.restart()) return false
    if (!blocks.every((component) => skipBlock(bits, component, isDcOnly))) return false
    if (bits.areUsedUp()) return false
  }
  return true
}

/** A scan of one component has a unit for each of its own blocks, one of several for all of them together. */
function unitsOf({ width, height, components: all }: Frame, [first, second]: Component[]): number {
  const [mostAcross, mostDown] = [
    Math.max(...all.map(({ across }) => across)),
    Math.max(...all.map(({ down }) => down)),
  ]
  const [across, down] =
    first && !second ? [mostAcross / first.across, mostDown / first.down] : [mostAcross, mostDown]
  // That of one component of several is rounded up to its samples first.
  const [samplesAcross, samplesDown] =
    first && !second
      ? [Math.ceil(width / across), Math.ceil(height / down)]
      : [width / across, height / down]
  return Math.ceil(samplesAcross / 8) * Math.ceil(samplesDown / 8)
}

type Bits = ReturnType<typeof openBits>

function skipBlock(bits: Bits, { dc, ac }: ScanComponent, isDcOnly: boolean): boolean {
  const size = bits.symbol(dc)
  if (size < 0) return false
  bits.skip(size)
  if (isDcOnly) return true
  for (let place = 1; place < 64; place++) {
    const symbol = bits.symbol(ac)
    if (symbol < 0) return false
    const [run, length] = [symbol >> 4, symbol & 15]
    if (length === 0 && run < 15) return true
    bits.skip(length)
    place += run
  }
  return true
}

/** Opens the bits of a scan, which end at the next marker. Behind them come zeros. */
function openBits(bytes: Uint8Array, from: number) {
  let at = from
  let [held, count, missing] = [0, 0, 0]
  const fill = () => {
    while (count <= 16) {
      let byte = bytes[at] ?? 0
      const isMarker = byte === 0xff && bytes[at + 1] !== 0
      if (isMarker || at >= bytes.length) {
        byte = 0
        missing += 8
      } else at += byte === 0xff ? 2 : 1
      held = (held << 8) | byte
      count += 8
    }
  }
  return {
    /** Returns the next symbol. -1: there is no such code. */
    symbol: (table: Table): number => {
      fill()
      const entry = table[(held >>> (count - 16)) & 0xffff] ?? 0
      count -= entry >> 8
      return entry === 0 ? -1 : entry & 0xff
    },
    skip: (length: number) => {
      fill()
      count -= length
    },
    areUsedUp: () => count < missing,
    /** Goes to the data behind the next restart marker. Returns whether there is one. */
    restart: (): boolean => {
      ;[held, count, missing] = [0, 0, 0]
      while (at < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0)) at += 1
      while (bytes[at + 1] === 0xff) at += 1
      const marker = bytes[at + 1] ?? 0
      at += 2
      return marker >= 0xd0 && marker <= 0xd7
    },
  }
}
