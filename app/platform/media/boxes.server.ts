import fs from 'node:fs/promises'

/** A top-level box of an MP4 file: its four-letter type, offset and length. */
export type Box = { kind: string; start: number; size: number }

export type BoxWalk = { ok: true; boxes: readonly Box[] } | { ok: false; reason: string }

/** A normal clip has a handful of boxes. A file with more than this is rejected. */
const MOST_BOXES = 4_096
const HEADER_BYTES = 16

/**
 * Reads only the headers of a file's top-level boxes and returns whether it can be a complete MP4:
 * `ftyp` first, every box inside the file, `moov` and `mdat` present, the last box ending with the
 * file. Every proper prefix of a clip fails one of these checks. Throws only if the file cannot be
 * read.
 */
export async function walkBoxes(file: string): Promise<BoxWalk> {
  const handle = await fs.open(file, 'r')
  try {
    const { size } = await handle.stat()
    return await walk(handle, size)
  } finally {
    await handle.close()
  }
}

async function walk(handle: fs.FileHandle, fileSize: number): Promise<BoxWalk> {
  const boxes: Box[] = []
  const header = Buffer.alloc(HEADER_BYTES)
  for (let start = 0; start < fileSize;) {
    const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, start)
    const box = readHeader(header.subarray(0, bytesRead), start)
    if (box === null) return refuse(`no box header at byte ${start}`)
    if (boxes.length === 0 && box.kind !== 'ftyp') return refuse('it does not start like an MP4')
    if (start + box.size > fileSize) return refuse(`box ${box.kind} ends after the file`)
    boxes.push(box)
    if (boxes.length > MOST_BOXES) return refuse('too many boxes')
    start += box.size
  }
  for (const kind of ['ftyp', 'moov', 'mdat']) {
    if (!boxes.some((box) => box.kind === kind)) return refuse(`no ${kind} box`)
  }
  return { ok: true, boxes }
}

/**
 * Parses a box header. Size 1 means a 64-bit size follows. Size 0 (to the end of the file) is
 * rejected, because it would hide truncation.
 */
function readHeader(header: Buffer, start: number): Box | null {
  if (header.length < 8) return null
  const kind = header.toString('latin1', 4, 8)
  if (!/^[\x20-\x7e]{4}$/.test(kind)) return null
  const short = header.readUInt32BE(0)
  if (short >= 8) return { kind, start, size: short }
  if (short !== 1 || header.length < HEADER_BYTES) return null
  const size = Number(header.readBigUInt64BE(8))
  return size >= HEADER_BYTES && Number.isSafeInteger(size) ? { kind, start, size } : null
}

function refuse(reason: string): BoxWalk {
  return { ok: false, reason }
}
