import http from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { Client } from '../tests/support/client'
import { startInstallation, type Installation } from '../tests/support/installation'
import { round, time, type Timing } from './measure'

const RUNS = 60
const WARM_UP_USERS = 5
const CLIENTS = 20

export type BulkSubmit = {
  timings: Timing[]
  /**
   * Our time for a hundred prompts, divided by that of the bare insert, and by that for one prompt.
   */
  ofBareInsert: number
  ofOne: number
  /** Batches of a hundred prompts accepted per second, sent by twenty concurrent clients. */
  perSecond: number
}

const promptsOf = (n: number) => Array.from({ length: n }, (_, i) => `A paper boat, scene ${i}`)

/** B2: compares a complete submission of a hundred prompts with one insert of a hundred rows. */
export async function bulkSubmit(): Promise<BulkSubmit> {
  const product = await startInstallation()
  const bare = await startBare(product)
  try {
    const singles = await usersOf(product, RUNS + WARM_UP_USERS)
    const hundreds = await usersOf(product, RUNS + WARM_UP_USERS)
    const timings = await time(
      [
        { name: 'bulk of 100', run: () => submit(hundreds.pop(), 100) },
        { name: 'bulk of 1', run: () => submit(singles.pop(), 1) },
        { name: 'bare insert of 100 rows', run: () => bare.insert() },
      ],
      { n: 100, runs: RUNS },
    )
    const [hundred = 1, one = 1, insert = 1] = timings.map(({ p50 }) => p50)
    return {
      timings,
      ofBareInsert: round(hundred / insert),
      ofOne: round(hundred / one),
      perSecond: await together(await usersOf(product, 10 * CLIENTS)),
    }
  } finally {
    await bare.stop()
    await product.remove()
  }
}

const usersOf = (product: Installation, n: number): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: n }, () => product.user({ plan: 'Enterprise', video_limit: 1000 })),
  )

async function submit(client: Client | undefined, prompts: number): Promise<void> {
  const response = await client?.post('/api/videos/bulk-generate', { prompts: promptsOf(prompts) })
  if (response?.status !== 201) throw new Error(`refused: ${JSON.stringify(response?.body)}`)
}

async function together(users: Client[]): Promise<number> {
  const startedAt = performance.now()
  const count = users.length
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let user = users.pop(); user; user = users.pop()) await submit(user, 100)
    }),
  )
  return round((count * 1000) / (performance.now() - startedAt))
}

/**
 * Starts the minimum to compare with: a bare server that reads the same body and inserts the rows.
 */
async function startBare({ db, env }: Installation) {
  await db.query('create table bare (id bigint generated always as identity, prompt text not null)')
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 4 })
  const server = http.createServer(async (req, res) => {
    const prompts: unknown = JSON.parse(await text(req))
    await pool.query('insert into bare (prompt) select unnest($1::text[])', [prompts])
    res.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const body = JSON.stringify(promptsOf(100))
  return {
    insert: () =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body }).then((response) =>
        response.text(),
      ),
    stop: async () => {
      await new Promise((resolve) => server.close(resolve))
      await pool.end()
    },
  }
}
