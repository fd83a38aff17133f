import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { addVideos } from '../tests/support/ended-videos'
import { startInstallation, type Installation } from '../tests/support/installation'
import { startBare } from './bare'
import { median, round } from './measure'
import { growthDuring } from './web-process'

/** All videos of the bench share one file of the size of a short clip, which is sent many times. */
const CLIP_BYTES = 512 * 1024
const KEY = '00/00000000-0000-4000-8000-000000000000.mp4'
const SIZES = [100, 1000, 10_000]
const PAIRS: Record<number, number> = { 100: 7, 1000: 5, 10_000: 1 }

type Owner = Awaited<ReturnType<Installation['user']>>
type Download = { bytes: number; ms: number; firstByteMs: number; isExact: boolean }

export type ArchiveSpeed = {
  files: number
  megabytes: number
  /** Our rate divided by that of the same files concatenated without an archive. */
  ofConcatenation: number
  /** Median, ms. Every file is checked before the first byte is sent. */
  firstByteMs: number
  /** Growth of the web server's memory in MB: one download, four concurrent ones, a slow reader. */
  grewBy: number
  grewByFour?: number
  grewBySlow?: number
  /** Whether the length of every response was that of its Content-Length. */
  isExact: boolean
}

/** B10: compares the archive of clips with plain concatenation. */
export async function archive(): Promise<ArchiveSpeed[]> {
  const product = await startInstallation()
  const file = path.join(product.dataDir, 'videos', KEY)
  const clip = randomBytes(CLIP_BYTES)
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, clip)
  const bare = await startBare(product, { file })
  try {
    const results: ArchiveSpeed[] = []
    for (const files of SIZES) {
      const owner = await ownerOf(product, clip, files)
      results.push(await measure(product, owner, { files, bareUrl: bare.url }))
    }
    return results
  } finally {
    await bare.stop()
    await product.remove()
  }
}

async function ownerOf(product: Installation, clip: Buffer, n: number): Promise<Owner> {
  const owner = await product.user({ plan: 'Enterprise' })
  await addVideos(product, { userId: owner.userId, status: 'completed', n })
  await product.db.query(
    `update videos set file_key = $2, poster_key = null, file_bytes = $3,
       file_crc32 = $4, file_sha256 = $5 where user_id = $1`,
    [owner.userId, KEY, clip.length, crc32(clip), createHash('sha256').update(clip).digest('hex')],
  )
  return owner
}

async function measure(
  product: Installation,
  owner: Owner,
  { files, bareUrl }: { files: number; bareUrl: string },
): Promise<ArchiveSpeed> {
  const ours = () => drain(owner.send('GET', '/api/videos/archive'))
  const theirs = () => drain(fetch(`${bareUrl}/concatenation?n=${files}`))
  await ours()
  const downloads: Download[] = []
  const ratios: number[] = []
  const grewBy = await growthDuring(product, async () => {
    for (let pair = 0; pair < (PAIRS[files] ?? 1); pair++) {
      const [own, plain] = [await ours(), await theirs()]
      downloads.push(own)
      ratios.push(own.bytes / own.ms / (plain.bytes / plain.ms))
    }
  })
  return {
    files,
    megabytes: Math.round((downloads[0]?.bytes ?? 0) / 1e6),
    ofConcatenation: round(median(ratios)),
    firstByteMs: round(median(downloads.map(({ firstByteMs }) => firstByteMs))),
    grewBy,
    isExact: downloads.every(({ isExact }) => isExact),
    ...(files === 1000 && {
      grewByFour: await growthDuring(product, () => Promise.all([ours(), ours(), ours(), ours()])),
      grewBySlow: await growthDuring(product, () => readSlowly(owner)),
    }),
  }
}

async function drain(asked: Promise<Response>): Promise<Download> {
  const startedAt = performance.now()
  const response = await asked
  let bytes = 0
  let firstByteMs = 0
  for await (const chunk of chunksOf(response)) {
    firstByteMs ||= performance.now() - startedAt
    bytes += chunk.length
  }
  const told = response.headers.get('content-length')
  const isExact = told === null || Number(told) === bytes
  return { bytes, ms: performance.now() - startedAt, firstByteMs, isExact }
}

/** Reads for ten seconds like a client with a slow connection, then aborts. */
async function readSlowly(owner: Owner): Promise<void> {
  const controller = new AbortController()
  const response = await owner.send('GET', '/api/videos/archive', { signal: controller.signal })
  const reader = response.body?.getReader()
  for (let i = 0; i < 50; i++) {
    await reader?.read()
    await sleep(200)
  }
  controller.abort()
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    yield part.value
  }
}
