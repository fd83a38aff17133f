// The ZIP format for uncompressed files of known size and CRC-32. The position of every byte is
// then known before the first is sent, so a download can be resumed anywhere. Source: APPNOTE.TXT
// 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16, 4.4.4 and 4.5.3.

export type ZipEntry = { name: string; bytes: number; crc32: number; modifiedAt: Date }

/** A part of the archive: known bytes, or the whole content of an entry. */
export type ZipPart =
  | { kind: 'bytes'; bytes: Buffer; length: number }
  | { kind: 'entry'; index: number; length: number }

export type ZipLayout = { parts: ZipPart[]; length: number }

const LOCAL = { signature: 0x04034b50, length: 30 } as const
const CENTRAL = { signature: 0x02014b50, length: 46 } as const
const END = { signature: 0x06054b50, length: 22 } as const
const END64 = { signature: 0x06064b50, length: 56 } as const
const LOCATOR64 = { signature: 0x07064b50, length: 20 } as const

/** The value of a 32- or 16-bit field whose real value is in the ZIP64 fields. */
const MAX32 = 0xffffffff
const MAX16 = 0xffff

const VERSION = { plain: 20, zip64: 45 } as const
/** Names are UTF-8 (general purpose bit 11). */
const FLAGS = 0x0800
const UNIX = 3 << 8
/** A regular file with mode 0644. */
const ATTRIBUTES = (0o100644 << 16) >>> 0

/** Computes the layout of an archive, in the order of the entries. */
export function layOutZip(entries: readonly ZipEntry[]): ZipLayout {
  const parts: ZipPart[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [index, entry] of entries.entries()) {
    const header = localHeader(entry)
    directory.push(centralHeader(entry, offset))
    parts.push({ kind: 'bytes', bytes: header, length: header.length })
    parts.push({ kind: 'entry', index, length: entry.bytes })
    offset += header.length + entry.bytes
  }
  const central = Buffer.concat(directory)
  const end = endRecords({ count: entries.length, size: central.length, offset })
  const tail = Buffer.concat([central, end])
  parts.push({ kind: 'bytes', bytes: tail, length: tail.length })
  return { parts, length: offset + tail.length }
}

/** Returns the fields that both headers of an entry share, from the version on: 26 bytes. */
function commonFields(entry: ZipEntry, { version, extra }: { version: number; extra: number }) {
  const { time, date } = dosTime(entry.modifiedAt)
  const size = Math.min(entry.bytes, MAX32)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(version, 0)
  fields.writeUInt16LE(FLAGS, 2)
  // Method 0: stored.
  fields.writeUInt16LE(time, 6)
  fields.writeUInt16LE(date, 8)
  fields.writeUInt32LE(entry.crc32, 10)
  fields.writeUInt32LE(size, 14)
  fields.writeUInt32LE(size, 18)
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 22)
  fields.writeUInt16LE(extra, 24)
  return fields
}

function localHeader(entry: ZipEntry): Buffer {
  const extra = zip64Extra(entry.bytes >= MAX32 ? [entry.bytes, entry.bytes] : [])
  const version = extra.length > 0 ? VERSION.zip64 : VERSION.plain
  const signature = Buffer.alloc(LOCAL.length - 26)
  signature.writeUInt32LE(LOCAL.signature)
  const common = commonFields(entry, { version, extra: extra.length })
  return Buffer.concat([signature, common, Buffer.from(entry.name), extra])
}

function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const sizes = entry.bytes >= MAX32 ? [entry.bytes, entry.bytes] : []
  const extra = zip64Extra(offset >= MAX32 ? [...sizes, offset] : sizes)
  const version = extra.length > 0 ? VERSION.zip64 : VERSION.plain
  const head = Buffer.alloc(6)
  head.writeUInt32LE(CENTRAL.signature, 0)
  head.writeUInt16LE(UNIX | VERSION.zip64, 4)
  const tail = Buffer.alloc(CENTRAL.length - 6 - 26)
  tail.writeUInt32LE(ATTRIBUTES, 6)
  tail.writeUInt32LE(Math.min(offset, MAX32), 10)
  const common = commonFields(entry, { version, extra: extra.length })
  return Buffer.concat([head, common, tail, Buffer.from(entry.name), extra])
}

/** Returns extra field 1 with the values that did not fit, in order. Empty if all values fitted. */
function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  }
  return extra
}

type Directory = { count: number; size: number; offset: number }

function endRecords({ count, size, offset }: Directory): Buffer {
  const isLarge = count >= MAX16 || size >= MAX32 || offset >= MAX32
  const end = Buffer.alloc(END.length)
  end.writeUInt32LE(END.signature, 0)
  end.writeUInt16LE(Math.min(count, MAX16), 8)
  end.writeUInt16LE(Math.min(count, MAX16), 10)
  end.writeUInt32LE(Math.min(size, MAX32), 12)
  end.writeUInt32LE(Math.min(offset, MAX32), 16)
  if (!isLarge) return end
  const end64 = Buffer.alloc(END64.length)
  end64.writeUInt32LE(END64.signature, 0)
  end64.writeBigUInt64LE(BigInt(END64.length - 12), 4)
  end64.writeUInt16LE(UNIX | VERSION.zip64, 12)
  end64.writeUInt16LE(VERSION.zip64, 14)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(LOCATOR64.length)
  locator.writeUInt32LE(LOCATOR64.signature, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}

/** Returns the MS-DOS date and time, in UTC so that an archive has the same bytes everywhere. */
function dosTime(instant: Date): { time: number; date: number } {
  const year = Math.min(2107, Math.max(1980, instant.getUTCFullYear()))
  return {
    time:
      (instant.getUTCHours() << 11) |
      (instant.getUTCMinutes() << 5) |
      (instant.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((instant.getUTCMonth() + 1) << 5) | instant.getUTCDate(),
  }
}

/** Reads the bytes `from` (inclusive) to `to` (exclusive) of an entry's content. */
export type ReadEntry = (index: number, from: number, to: number) => AsyncIterable<Uint8Array>

/**
 * Reads the bytes `from` (inclusive) to `to` (exclusive) of the archive, with one chunk in memory
 * at a time.
 */
export async function* readZip(
  { parts }: ZipLayout,
  read: ReadEntry,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const part of parts) {
    const start = Math.max(0, from - at)
    const end = Math.min(part.length, to - at)
    at += part.length
    if (start >= end) continue
    if (part.kind === 'bytes') yield part.bytes.subarray(start, end)
    else yield* read(part.index, start, end)
  }
}
