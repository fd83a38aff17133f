import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bucket that speaks as much of S3 as the product uses, in memory, on 127.0.0.1. */
export type TestBucket = {
  /** Settings that make a product keep its clips here. */
  env: Record<string, string>
  objects: Map<string, Buffer>
  /** Requests so far, as `PUT key`. */
  requests: string[]
  stop: () => Promise<void>
}

export const BUCKET_SECRET = 'CANARY-s3-secret-access-key'
const KEY_ID = 'AKIATESTBUCKET'

export async function startBucket(): Promise<TestBucket> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const key = decodeURIComponent(new URL(request.url ?? '/', 'http://s3').pathname).slice(
        '/clips/'.length,
      )
      requests.push(`${request.method} ${key}`)
      const isKnown = (request.headers.authorization ?? '').includes(`Credential=${KEY_ID}/`)
      if (!isKnown) return refuse(response, 403, 'AccessDenied')
      serve({ request, response, objects }, key, Buffer.concat(chunks))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Talk = {
  request: http.IncomingMessage
  response: http.ServerResponse
  objects: Map<string, Buffer>
}

function serve({ request, response, objects }: Talk, key: string, body: Buffer): void {
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
  response.end(request.method === 'HEAD' ? undefined : part)
}

function refuse(response: http.ServerResponse, status: number, code: string, isBare = false): void {
  const body = isBare ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
