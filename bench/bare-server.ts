import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'

// The minimum to compare with, in a separate process like the product: it serves a user's rows as
// JSON, a file many times over, and a file or a range of it, and sends an order to the provider,
// without sessions, checks and further headers.

const CHUNK_BYTES = 1024 * 1024
const [databaseUrl = '', userId = '', file = '', call = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })

const ROWS = {
  name: 'rows',
  text: `select videos.id, prompt, negative_prompt as "negativePrompt", aspect_ratio as "aspectRatio",
    status, model, file_key as "videoUrl", poster_key as "thumbnailUrl",
    error_message as "errorMessage", error_code as "errorCode",
    regenerate_count as "regenerateCount", regenerated_by_admin as "regeneratedByAdmin",
    batch_id as "batchId", videos.created_at as "createdAt", completed_at as "completedAt", username
    from videos join users on users.id = videos.user_id
    where user_id = $1 and videos.deleted_at is null
    order by videos.created_at desc, videos.id desc limit $2`,
}

/** A table of its own, so that the product does not see the row. */
const ORDER = {
  name: 'order',
  text: `with made as (insert into bare_orders (prompt) values ('A kite') returning id) select id from made`,
}
if (call) await pool.query('create table bare_orders (id bigserial primary key, prompt text)')

async function response(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://bare')
  const n = Number(searchParams.get('n'))
  if (pathname === '/rows') {
    const { rows } = await pool.query({ ...ROWS, values: [userId, n] })
    res.end(JSON.stringify(rows))
    return
  }
  if (pathname === '/order') {
    await pool.query(ORDER)
    res.end()
    await (await fetch(call, { method: 'POST', body: '{}' })).arrayBuffer()
    return
  }
  if (pathname === '/concatenation') {
    await pipeline(Readable.from(manyTimes(n), { objectMode: false }), res)
    return
  }
  const { size } = await fs.stat(file)
  const [, first = '0', last = `${size - 1}`] =
    /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
  res.setHeader('Content-Length', Number(last) - Number(first) + 1)
  await pipeline(read({ start: Number(first), end: Number(last) }), res)
}

const read = (part: { start?: number; end?: number } = {}): AsyncIterable<Buffer> =>
  createReadStream(file, { ...part, highWaterMark: CHUNK_BYTES })

async function* manyTimes(n: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < n; i++) yield* read()
}

const server = http.createServer((req, res) => void response(req, res).catch(() => res.destroy()))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
