import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { limitInTurns } from '~/lib/limit-concurrency.server'
import { readPictureFile } from '~/lib/picture-file'
import { minutes, seconds } from '~/lib/time'
import { outputOf, watchChild } from './child-limits.server'
import type { Fit, Redraw, Redrawn } from './port'

/** Decoded, that is 100 MB. Phones take pictures of half of it. */
const MOST_PIXELS = 25_000_000
/** Of a picture for a video. Decoded, that is 160 MB. */
export const MOST_PIXELS_FITTED = 40_000_000
/** Pixels a side. Stretched to a frame, less shows nothing, and the video would be paid for. */
const LEAST_SIDE_FITTED = 64
/**
 * Processor time, because on an overloaded machine good pictures take minutes. A picture of the most pixels
 * needs two seconds, and twice its 160 MB where it has to be turned.
 */
const LIMITS = {
  processorMs: seconds(20),
  elapsedMs: minutes(3),
  residentBytes: 768 * 1024 * 1024,
} as const
const HEAP_MB = 64
/** Pictures of videos, and receipts, which therefore never keep a picture of a video waiting. */
const AT_ONCE = { video: 2, receipt: 1 } as const
const RECEIPT_LANE = { customer: 0, visitor: 1 } as const
/** The child answers with the hash of the pixels, and the JPEG. */
const HASH_BYTES = 32

const REFUSED: Redrawn = { ok: false, why: 'no-picture' }

/** What the child process writes instead for a picture of which a part is missing. */
export const NOT_WHOLE = 'not whole'

/**
 * Creates the function that decodes pictures of strangers and encodes them again, so that nothing of
 * the file remains but what it shows. Each runs in a child process, `entry`, because its bytes may
 * crash a decoder. Returns null if the package that draws is not installed.
 */
export function openRedraw(entry: string): Redraw | null {
  try {
    createRequire(import.meta.url).resolve('@napi-rs/canvas')
  } catch {
    return null
  }
  const videos = limitInTurns(AT_ONCE.video)
  const receipts = limitInTurns(AT_ONCE.receipt)
  return async (bytes, { of, caller, fit }) => {
    const file = readPictureFile(bytes)
    if (file === null || (file.kind === 'webp' && !fit)) return REFUSED
    const pixels = file.width * file.height
    if (fit && Math.min(file.width, file.height) < LEAST_SIDE_FITTED)
      return { ok: false, why: 'too-small' }
    if (pixels > (fit ? MOST_PIXELS_FITTED : MOST_PIXELS))
      return { ok: false, why: 'too-many-pixels' }
    if (!file.hasEnd) return { ok: false, why: 'not-whole' }
    const work = () => redrawIn(entry, bytes, fit)
    if (of === 'video') return videos({ lane: 0, caller }, work)
    return receipts({ lane: RECEIPT_LANE[of], caller }, work)
  }
}

async function redrawIn(entry: string, bytes: Buffer, fit?: Fit): Promise<Redrawn> {
  const wish = fit ? [fit.ratio, String(fit.at)] : []
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', entry, ...wish],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { NODE_ENV: 'production' },
    },
  )
  const endWatch = watchChild(child, LIMITS)
  // A child that ends early does not read everything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const output = await outputOf(child).finally(endWatch)
  if (output?.toString() === NOT_WHOLE) return { ok: false, why: 'not-whole' }
  if (output === null || output.length <= HASH_BYTES) return REFUSED
  const jpeg = output.subarray(HASH_BYTES)
  const size = readPictureFile(jpeg)
  if (size === null) return REFUSED
  const hash = output.subarray(0, HASH_BYTES).toString('hex')
  return { ok: true, hash, jpeg, isWide: size.width > size.height }
}

/** Returns what the child process writes for a picture's pixels and its JPEG. */
export const redrawnOutput = (pixels: Uint8Array, jpeg: Buffer): Buffer =>
  Buffer.concat([createHash('sha256').update(pixels).digest(), jpeg])
