import autocannon from 'autocannon'
import type { Client } from '../tests/support/client'
import { addVideos } from '../tests/support/ended-videos'
import { startInstallation } from '../tests/support/installation'
import { startBare } from './bare'
import { round, time, type Timing } from './measure'
import { longestStall } from './web-process'
import { read } from './fixture'

const SIZES = [50, 1000, 10_000]
const RUNS: Record<number, number> = { 50: 100, 1000: 40, 10_000: 15 }
const AT_ONCE = 5
const READING_SECONDS = 10
const POLLS = 500

export type ListPath = {
  timings: Timing[]
  /** Our rate divided by the bare server's, by number of rows. */
  ofBare: Record<number, number>
  /** p99 of a poll in ms, alone and while five whole lists are being read. */
  othersAlone: number
  othersMeanwhile: number
  listsMeanwhile: number
  /** The longest time for which a whole list blocked the event loop, ms. */
  stall: number
}

/** Compression is not measured: both servers send plain bytes. */
const PLAIN = { 'accept-encoding': 'identity' }

/** B6: compares whole responses of the list call with a bare SELECT and JSON.stringify. */
export async function listPath(): Promise<ListPath> {
  const product = await startInstallation()
  const owner = await product.user({ plan: 'Enterprise' })
  await addVideos(product, { userId: owner.userId, status: 'completed', n: Math.max(...SIZES) })
  await product.db.query('analyze videos')
  const bare = await startBare(product, owner)
  const list = (n: number) => read(owner, `/api/videos?page=1&limit=${n}`, PLAIN)
  try {
    const timings: Timing[] = []
    const ofBare: ListPath['ofBare'] = {}
    for (const n of SIZES) {
      const subjects = [
        { name: 'GET /api/videos', run: () => list(n) },
        { name: 'bare SELECT and JSON.stringify', run: () => readBare(`${bare.url}/rows?n=${n}`) },
      ]
      const [ours, theirs] = await time(subjects, { n, runs: RUNS[n] ?? 10 })
      if (ours && theirs) timings.push(ours, theirs)
      ofBare[n] = round((theirs?.p50 ?? 0) / (ours?.p50 ?? 1))
    }
    await longestStall(product)
    for (let i = 0; i < 5; i++) await list(10_000)
    const stall = await longestStall(product)
    const othersAlone = await pollP99(owner)
    const reading = readLists(product, owner)
    await list(10_000)
    const othersMeanwhile = await pollP99(owner)
    const listsMeanwhile = await reading
    return { timings, ofBare, othersAlone, othersMeanwhile, listsMeanwhile, stall }
  } finally {
    await bare.stop()
    await product.remove()
  }
}

/**
 * Reads whole lists for READING_SECONDS, several at once, and returns how many. A separate thread
 * receives them, so that the megabytes do not delay what is timed here. Throws if one was refused.
 */
async function readLists({ url }: { url: string }, { cookieHeader }: Client): Promise<number> {
  const result = await autocannon({
    url: `${url}/api/videos?page=1&limit=10000`,
    headers: { cookie: cookieHeader },
    connections: AT_ONCE,
    workers: 1,
    duration: READING_SECONDS,
    timeout: READING_SECONDS,
  })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} lists were refused`)
  return result['2xx']
}

const readBare = async (url: string) => (await fetch(url)).arrayBuffer()

/** Returns the p99 of polls of a page that is up to date, in ms. */
async function pollP99(owner: Client): Promise<number> {
  const { body } = await owner.get<{ version: number }>('/api/videos/changes')
  const run = () => read(owner, `/api/videos/changes?since=${body.version}`)
  const [poll] = await time([{ name: 'poll', run }], { n: 1, runs: POLLS })
  return poll?.p99 ?? NaN
}
