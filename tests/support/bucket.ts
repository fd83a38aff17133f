import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** An in-memory bucket on 127.0.0.1 with the part of S3 that the product uses. */
export type TestBucket = {
  /** Settings that make a product store its clips here. */
  env: Record<string, string>
  objects: Map<string, Buffer>
  /** All requests so far, as `PUT key`. */
  requests: string[]
  /** Sets how the bucket treats requests from now on. Also ends all open requests. */
  be: (mood: Mood) => Promise<void>
  stop: () => Promise<void>
}

/**
 * `gone`: the port is closed. `hanging`: requests get no response. `busy`: 503 SlowDown. `locked`:
 * our key is refused. `absent`: there is no such bucket. `html`: a proxy responds in its place. For
 * reads only: `cut` ends the connection in the middle of an object, `stalling` sends half of it and
 * then nothing.
 */
export type Mood =
  'normal' | 'gone' | 'hanging' | 'busy' | 'locked' | 'absent' | 'html' | 'cut' | 'stalling'

export const BUCKET_SECRET = 'CANARY-s3-secret-access-key'
const KEY_ID = 'AKIATESTBUCKET'

export async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  let mood: Mood = 'normal'
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const key = decodeURIComponent(new URL(request.url ?? '/', 'http://s3').pathname).slice(
        '/clips/'.length,
      )
      requests.push(`${request.method} ${key}`)
      const isKnown = (request.headers.authorization ?? '').includes(`Credential=${KEY_ID}/`)
      if (mood === 'hanging') return
      if (mood === 'busy') return refuse(response, 503, 'SlowDown')
      if (mood === 'html') return void response.writeHead(502).end('<html>Bad gateway</html>')
      if (!isKnown || mood === 'locked') return refuse(response, 403, 'AccessDenied')
      if (mood === 'absent') {
        return refuse(response, 404, 'NoSuchBucket', request.method === 'HEAD')
      }
      serve({ request, response, objects, mood }, key, Buffer.concat(chunks))
    })
  })
  const listen = (at: number) =>
    new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    objects,
    requests,
    env: {
      STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'clips',
      S3_ACCESS_KEY_ID: KEY_ID,
      S3_SECRET_ACCESS_KEY: BUCKET_SECRET,
      S3_FORCE_PATH_STYLE: 'true',
    },
    be: async (next) => {
      if (server.listening) await close()
      mood = next
      if (mood !== 'gone') await listen(port)
    },
    stop: close,
  }
}

type Talk = {
  request: http.IncomingMessage
  response: http.ServerResponse
  objects: Map<string, Buffer>
  mood: Mood
}

/** The part of S3 that sends an object in parts, which are kept as objects until they are joined. */
function serveParts({ request, response, objects }: Talk, key: string, body: Buffer): boolean {
  const query = new URL(request.url ?? '/', 'http://s3').searchParams
  const isStart = query.has('uploads')
  if (!isStart && !query.has('uploadId')) return false
  const partOf = (number: number) => `${key}.parts/${number}`
  if (request.method === 'PUT') {
    objects.set(partOf(Number(query.get('partNumber'))), body)
    response.writeHead(200, { etag: '"part"' }).end()
    return true
  }
  const parts: Buffer[] = []
  for (let n = 1; !isStart && objects.has(partOf(n)); n++) {
    parts.push(objects.get(partOf(n)) ?? Buffer.alloc(0))
    objects.delete(partOf(n))
  }
  if (request.method === 'POST' && !isStart) objects.set(key, Buffer.concat(parts))
  const answer = isStart
    ? '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>'
    : `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`
  response.writeHead(200, { 'content-type': 'application/xml' }).end(answer)
  return true
}

function serve({ request, response, objects, mood }: Talk, key: string, body: Buffer): void {
  if (serveParts({ request, response, objects, mood }, key, body)) return
  if (request.method === 'PUT') {
    if (Number(request.headers['content-length']) !== body.length) {
      return refuse(response, 400, 'IncompleteBody')
    }
    objects.set(key, body)
    response.writeHead(200, { etag: '"1"' }).end()
    return
  }
  if (request.method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
    return
  }
  const object = objects.get(key)
  if (object === undefined) return refuse(response, 404, 'NoSuchKey', request.method === 'HEAD')
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  const [from, to] = range ? [Number(range[1]), Number(range[2]) + 1] : [0, object.length]
  const part = object.subarray(from, to)
  response.writeHead(range ? 206 : 200, {
    'content-length': part.length,
    'last-modified': new Date().toUTCString(),
    etag: '"1"',
  })
  if (request.method === 'HEAD') return void response.end()
  if (mood !== 'cut' && mood !== 'stalling') return void response.end(part)
  response.write(part.subarray(0, part.length / 2), () => {
    if (mood === 'cut') response.destroy()
  })
}

function refuse(response: http.ServerResponse, status: number, code: string, isBare = false): void {
  const body = isBare ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
