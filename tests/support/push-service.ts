import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer }

/** What a message says once its browser has decrypted it. */
export type Shown = { title: string; body: string; url: string; tag: string }

/** Starts a browser maker's push service on 127.0.0.1, with browsers that are subscribed to it. */
export async function startPushService() {
  const received: Received[] = []
  const answers = new Map<string, { status: number; body: string }>()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const path = req.url ?? ''
      received.push({ path, headers: req.headers, body: Buffer.concat(chunks) })
      const { status, body } = answers.get(path) ?? { status: 201, body: '' }
      res.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    received,
    newBrowser: () => newBrowser(`http://${host}`, { received, answers }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>
export type Browser = ReturnType<PushService['newBrowser']>
type State = { received: Received[]; answers: Map<string, { status: number; body: string }> }

function newBrowser(origin: string, { received, answers }: State) {
  const own = createECDH('prime256v1')
  const p256dh = own.generateKeys('base64url')
  const auth = randomBytes(16)
  const path = `/push/${randomBytes(8).toString('hex')}`
  const mine = () => received.filter((one) => one.path === path)
  return {
    /** What the page hands to the server. */
    subscription: { endpoint: `${origin}${path}`, p256dh, auth: auth.toString('base64url') },
    /** The service answers so from now on. */
    answer: (status: number, body = '') => void answers.set(path, { status, body }),
    mine,
    /** The messages, decrypted. */
    shown: () => mine().map(({ body }) => JSON.parse(decrypt(body, { own, auth })) as Shown),
  }
}

const isPoint = (key: Buffer) => key.length === 65 && key[0] === 4

/** RFC 8291 and RFC 8188: one record of aes128gcm. */
function decrypt(
  body: Buffer,
  { own, auth }: { own: ReturnType<typeof createECDH>; auth: Buffer },
) {
  const salt = body.subarray(0, 16)
  const idLength = body[20] ?? 0
  const theirs = body.subarray(21, 21 + idLength)
  if (!isPoint(theirs)) throw new Error('the sender’s key is no point')
  const derive = (secret: Buffer, mixed: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, mixed, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), theirs])
  const secret = derive(own.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
  const sealed = body.subarray(21 + idLength)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end < 0) throw new Error('the record has no end')
  return plain.subarray(0, end).toString('utf8')
}

/**
 * Checks how a sender names itself (VAPID, RFC 8292) and returns its claims and its public key. Throws if the signature
 * is not that key's.
 */
export function readSender({ headers }: Received) {
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  if (!isPoint(point)) throw new Error('the key is no point')
  const [x, y] = [
    point.subarray(1, 33).toString('base64url'),
    point.subarray(33).toString('base64url'),
  ] as const
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the signature is wrong')
  type Claims = { aud: string; exp: number; sub: string }
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims }
}
