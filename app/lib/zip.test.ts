import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { layOutZip, readZip, type ZipEntry } from './zip.server'

const contents = ['first', '', 'the third one'].map((text) => Buffer.from(text))
const entries: ZipEntry[] = contents.map((bytes, index) => ({
  name: `${index}-é.txt`,
  bytes: bytes.length,
  crc32: crc32(bytes),
  modifiedAt: new Date('2026-11-21T08:15:30Z'),
}))

async function* content(index: number, from: number, to: number) {
  yield (contents[index] ?? Buffer.alloc(0)).subarray(from, to)
}

async function bytesOf(layout: ReturnType<typeof layOutZip>, from = 0, to = layout.length) {
  const chunks: Uint8Array[] = []
  for await (const chunk of readZip(layout, content, { from, to })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('an archive has the length that its layout announced', async () => {
  const layout = layOutZip(entries)
  expect(await bytesOf(layout)).toHaveLength(layout.length)
})

test('every range of an archive equals that range of the whole', async () => {
  const layout = layOutZip(entries)
  const whole = await bytesOf(layout)
  for (let from = 0; from < layout.length; from += 7) {
    for (let to = from + 1; to <= layout.length; to += 13) {
      expect(await bytesOf(layout, from, to)).toEqual(whole.subarray(from, to))
    }
  }
})

test('offsets beyond 4 GiB are written in 64 bits', () => {
  const large = Array.from({ length: 20 }, (_, i) => ({
    ...entries[0]!,
    name: `${i}`,
    bytes: 256 * 1024 * 1024,
  }))
  const { parts, length } = layOutZip(large)
  expect(length).toBeGreaterThan(5 * 1024 ** 3)
  const tail = parts.at(-1)
  if (tail?.kind !== 'bytes') throw new Error('an archive ends with its directory')
  const end = tail.bytes.subarray(-22)
  expect(end.readUInt32LE(16)).toBe(0xffffffff)
  const locator = tail.bytes.subarray(-42, -22)
  const end64At = Number(locator.readBigUInt64LE(8)) - (length - tail.length)
  expect(tail.bytes.readUInt32LE(end64At)).toBe(0x06064b50)
  expect(Number(tail.bytes.readBigUInt64LE(end64At + 32))).toBe(20)
  // The last entry's offset exceeds 32 bits.
  const places = [...tail.bytes.toString('latin1').matchAll(/PK\u0001\u0002/g)]
  const last = tail.bytes.subarray(places.at(-1)?.index)
  expect(last.readUInt32LE(42)).toBe(0xffffffff)
  expect(Number(last.readBigUInt64LE(46 + 2 + 4))).toBe(
    19 * (30 + 256 * 1024 * 1024) + 10 * 1 + 9 * 2,
  )
})

test('65,535 or more entries also need ZIP64', () => {
  const many = Array.from({ length: 65_535 }, (_, i) => ({ ...entries[1]!, name: `${i}` }))
  const tail = layOutZip(many).parts.at(-1)
  if (tail?.kind !== 'bytes') throw new Error('an archive ends with its directory')
  expect(tail.bytes.subarray(-22).readUInt16LE(10)).toBe(0xffff)
  expect(tail.bytes.subarray(-42).readUInt32LE(0)).toBe(0x07064b50)
})
