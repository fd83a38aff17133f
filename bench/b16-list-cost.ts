import { addVideos } from '../tests/support/ended-videos'
import { startInstallation } from '../tests/support/installation'
import { read } from './fixture'
import { startBare } from './bare'
import { startServerMeter } from './cpu'
import { median, round } from './measure'

const OWN_VIDEOS = 10_000
const ROWS = 500
/** Requests per turn: enough for a clock of 10 ms. */
const AT_A_TIME = 60
const TURNS = 9
const PROMPT = 'A golden retriever runs along the beach at sunset, '.repeat(3)

export type ListCost = {
  /** Processor time of the database per list of 500, in ms. */
  ours: number
  bare: number
  ratio: number
}

/** B16: compares what a list of 500 costs the database with a bare SELECT of the same rows. */
export async function listCost(): Promise<ListCost> {
  const product = await startInstallation()
  const owner = await product.user({ plan: 'Enterprise' })
  const { userId } = owner
  await addVideos(product, { userId, status: 'completed', n: OWN_VIDEOS, prompt: PROMPT })
  await product.db.query('vacuum analyze videos')
  const bare = await startBare(product, owner)
  const list = () => read(owner, `/api/videos?page=1&limit=${ROWS}`)
  const plain = async () => (await fetch(`${bare.url}/rows?n=${ROWS}`)).arrayBuffer()
  const ours: number[] = []
  const theirs: number[] = []
  const costOf = async (run: () => Promise<unknown>) => {
    const used = await startServerMeter(product.db)
    for (let i = 0; i < AT_A_TIME; i++) await run()
    return (await used()) / AT_A_TIME
  }
  try {
    for (let turn = -1; turn < TURNS; turn++) {
      const [own, other] = [await costOf(list), await costOf(plain)]
      if (turn < 0) continue
      ours.push(own)
      theirs.push(other)
    }
  } finally {
    await bare.stop()
    await product.remove()
  }
  const ratio = round(median(ours) / median(theirs))
  return { ours: round(median(ours)), bare: round(median(theirs)), ratio }
}
