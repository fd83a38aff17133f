import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addVideos } from '../tests/support/ended-videos'
import { startInstallation, type Installation } from '../tests/support/installation'
import { startBare } from './bare'
import { round, time, type Timing } from './measure'
import { openFiles } from './web-process'
import { read } from './fixture'

const CLIP_BYTES = 6 * 1024 * 1024
const RANGE_BYTES = 1024 * 1024
const SEEKS = 1000
const ABORTS = 2000
const SLOW_READERS = 200

type Owner = Awaited<ReturnType<Installation['user']>>

export type Serving = {
  timings: Timing[]
  /** Our rate divided by that of a bare server that pipes the same file without any checks. */
  wholeOfBare: number
  rangeOfBare: number
  /** p99 of the time to the first byte in ms: alone, and with 200 slow readers connected. */
  firstByteP99: number
  firstByteP99Beside: number
  wrongSeeks: number
  openAfterAborts: number
}

/**
 * B11: measures the delivery of clips and ranges of them, including the checks of session and
 * owner.
 */
export async function ranges(): Promise<Serving> {
  const product = await startInstallation()
  const owner = await product.user({ plan: 'Enterprise' })
  const { id, file, clip } = await storeClip(product, owner)
  const address = `/media/${id}.mp4`
  const bare = await startBare(product, { file })
  try {
    const part = () => rangeAt(Math.floor(Math.random() * (CLIP_BYTES - RANGE_BYTES)))
    const fromBare = async (headers: HeadersInit = {}) =>
      (await fetch(`${bare.url}/file`, { headers })).arrayBuffer()
    const timings = await time(
      [
        { name: 'whole clip', run: () => read(owner, address) },
        { name: 'whole clip, bare', run: () => fromBare() },
        { name: 'a megabyte of it', run: () => read(owner, address, part()) },
        { name: 'a megabyte of it, bare', run: () => fromBare(part()) },
      ],
      { n: CLIP_BYTES, runs: 100 },
    )
    const [whole = 1, wholeBare = 0, range = 1, rangeBare = 0] = timings.map(({ p50 }) => p50)
    const firstByteP99 = await firstByte(product, owner, address)
    const slow = await Promise.all(
      Array.from({ length: SLOW_READERS }, () => beginReading(product, owner, address)),
    )
    const firstByteP99Beside = await firstByte(product, owner, address)
    for (const reader of slow) reader.destroy()
    return {
      timings,
      wholeOfBare: round(wholeBare / whole),
      rangeOfBare: round(rangeBare / range),
      firstByteP99,
      firstByteP99Beside,
      wrongSeeks: await seek(owner, address, clip),
      openAfterAborts: await abortMany(product, owner, address),
    }
  } finally {
    await bare.stop()
    await product.remove()
  }
}

const rangeAt = (first: number, length = RANGE_BYTES) => ({
  range: `bytes=${first}-${first + length - 1}`,
})

async function storeClip(product: Installation, { userId }: Owner) {
  const clip = randomBytes(CLIP_BYTES)
  const [id = ''] = await addVideos(product, { userId, status: 'completed' })
  const key = `${id.slice(-2)}/${id}.mp4`
  const file = path.join(product.dataDir, 'videos', key)
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, clip)
  await product.db.query('update videos set file_bytes = $2, file_sha256 = $3 where id = $1', [
    id,
    clip.length,
    createHash('sha256').update(clip).digest('hex'),
  ])
  return { id, file, clip }
}

/** Returns how many of a thousand random ranges differed from the bytes of the file. */
async function seek(owner: Owner, address: string, clip: Buffer): Promise<number> {
  let wrong = 0
  for (let i = 0; i < SEEKS; i++) {
    const first = Math.floor(Math.random() * (CLIP_BYTES - 4096))
    const response = await owner.send('GET', address, { headers: rangeAt(first, 4096) })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isRight = response.status === 206 && bytes.equals(clip.subarray(first, first + 4096))
    if (!isRight) wrong += 1
  }
  return wrong
}

async function firstByte(product: Installation, owner: Owner, address: string): Promise<number> {
  const run = async () => (await beginReading(product, owner, address)).destroy()
  const [timing] = await time([{ name: 'first byte', run }], { n: 1, runs: 200 })
  return timing?.p99 ?? NaN
}

/** Returns a response whose first bytes have arrived and of which no more are read. */
function beginReading(product: Installation, owner: Owner, address: string) {
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const options = { headers: { cookie: owner.cookieHeader }, agent: false }
    http
      .get(new URL(address, product.url), options, (response) => {
        response.once('readable', () => resolve(response))
      })
      .once('error', reject)
  })
}

async function abortMany(product: Installation, owner: Owner, address: string): Promise<number> {
  for (let done = 0; done < ABORTS; done += 50) {
    const readers = Array.from({ length: 50 }, () => beginReading(product, owner, address))
    for (const reader of await Promise.all(readers)) reader.destroy()
  }
  await sleep(1000)
  return openFiles(product, product.dataDir)
}
