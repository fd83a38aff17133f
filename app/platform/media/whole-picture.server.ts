import { createInflate, crc32 } from 'node:zlib'
import { pngChunks, type PictureFile } from '~/lib/picture-file'
import { hasAllPixels } from './jpeg-scan'

/**
 * Returns whether a file contains a whole picture of the size that it says. Decoders draw what is there and
 * leave the rest black. Bytes behind the end are harmless, and so is damage in what is not shown.
 */
export async function isWholePicture(bytes: Buffer, file: PictureFile): Promise<boolean> {
  if (!file.hasEnd) return false
  if (file.kind === 'png') return isWholePng(bytes)
  return file.kind === 'webp' || hasAllPixels(bytes)
}

/** Chunks without which nothing can be shown begin with a capital. */
const isNeeded = (name: string) => /^[A-Z]/.test(name)

async function isWholePng(bytes: Buffer): Promise<boolean> {
  const data: Buffer[] = []
  for (const { name, from, to } of pngChunks(bytes)) {
    if (!isNeeded(name)) continue
    if (crc32(bytes.subarray(from - 4, to)) !== bytes.readUInt32BE(to)) return false
    if (name === 'IDAT') data.push(bytes.subarray(from, to))
  }
  return inflatesTo(data, pngDataBytes(bytes))
}

/** The passes of an interlaced PNG: its first column and row, and the steps to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Returns how many bytes the rows of a PNG have, which begin with one for their filter. */
function pngDataBytes(bytes: Buffer): number {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth = 0, colour = 0, , , isInterlaced = 0] = bytes.subarray(24, 29)
  const bits = depth * (SAMPLES[colour] ?? 1)
  const rows = (across: number, down: number) =>
    across === 0 ? 0 : down * (1 + Math.ceil((across * bits) / 8))
  if (isInterlaced === 0) return rows(width, height)
  return PASSES.reduce(
    (sum, [x, y, acrossStep, downStep]) =>
      sum + rows(stepsIn(width - x, acrossStep), stepsIn(height - y, downStep)),
    0,
  )
}

const stepsIn = (length: number, step: number) => Math.max(0, Math.ceil(length / step))

/** Returns whether compressed data contain at least so many bytes. Only a piece of them is in memory. */
function inflatesTo(data: readonly Buffer[], least: number): Promise<boolean> {
  return new Promise((resolve) => {
    let count = 0
    const inflate = createInflate()
    const end = () => {
      resolve(count >= least)
      inflate.destroy()
    }
    inflate.on('data', (piece: Buffer) => {
      count += piece.length
      if (count >= least) end()
    })
    inflate.on('end', end)
    inflate.on('error', end)
    for (const piece of data) inflate.write(piece)
    inflate.end()
  })
}
