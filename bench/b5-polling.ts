import http from 'node:http'
import type pg from 'pg'
import { round, time, type Timing } from './measure'
import { read, type Fixture } from './fixture'

const RUNS = 200

export type Polling = {
  timings: Timing[]
  bytes304: number
  ofRaw: number
  cheaperThanNaive: number
}

/**
 * B5: compares an unchanged poll with a bare server that reads one row, and with the whole list.
 */
export async function polling({ owner, product }: Fixture, n: number): Promise<Polling> {
  const first = await owner.send('GET', '/api/videos/changes?since=0')
  await first.arrayBuffer()
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const raw = await startRaw(product.db, owner.userId)
  try {
    const timings = await time(
      [
        {
          name: 'poll, unchanged (304)',
          run: () => read(owner, '/api/videos/changes?since=0', headers),
        },
        {
          name: 'bare node:http, one row',
          run: () => fetch(raw.url).then((response) => response.text()),
        },
      ],
      { n, runs: RUNS },
    )
    const naive = await time(
      [{ name: 'whole list of 10,000', run: () => read(owner, '/api/videos?page=1&limit=10000') }],
      { n, runs: 5 },
    )
    const unchanged = await owner.send('GET', '/api/videos/changes?since=0', { headers })
    if (unchanged.status !== 304) throw new Error('the poll was not answered with 304')
    const [poll, bare] = timings
    const perPoll = poll?.p50 ?? 1
    return {
      timings: [...timings, ...naive],
      bytes304: headerBytes(unchanged.headers),
      ofRaw: round((bare?.p50 ?? 0) / perPoll),
      cheaperThanNaive: round((naive[0]?.p50 ?? 0) / perPoll),
    }
  } finally {
    await raw.stop()
  }
}

const headerBytes = (headers: Headers): number =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

/** Starts the minimum to compare with: a server that reads the version of the gallery. */
async function startRaw(db: pg.Pool, userId: string) {
  const server = http.createServer((_req, res) => {
    void db
      .query('select version from galleries where user_id = $1', [userId])
      .then(({ rows }) => res.end(JSON.stringify(rows[0])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
