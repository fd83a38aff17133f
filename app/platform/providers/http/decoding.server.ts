import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { lookOf } from '../reading/first-bytes'
import { peek } from './peek'

/** Larger than any body that is read: a clip of the largest size inside JSON as base64. */
const MOST_DECODED_BYTES = 400 * 1024 * 1024
const MOST_CODINGS = 3

type Headers = Readonly<Record<string, string>>
type Encoded = { status: number; headers: Headers; body: Readable }

/** Headers that speak of the encoded bytes, not of those that we read. */
const OF_ENCODED_BYTES = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'x-goog-hash',
])

/**
 * Returns a response with its body decoded. We ask for `identity`; gateways compress all the same.
 * A body that is not in the encoding that its header names is left as it is. The decoded body has at
 * most `MOST_DECODED_BYTES`, so that a small response cannot fill memory or disk; readers have smaller
 * limits of their own.
 */
export function decoded({ status, headers, body }: Encoded): Encoded {
  const codings = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity' && name !== 'none')
  if (codings.length === 0 || codings.length > MOST_CODINGS || !codings.every(isKnown)) {
    return { status, headers, body }
  }
  const plain = Readable.from(decode(body, codings))
  // A body that is destroyed unread emits an error, which would end the process without a listener.
  plain.on('error', () => undefined)
  plain.once('close', () => body.destroy())
  const named = Object.entries(headers).filter(([name]) => !OF_ENCODED_BYTES.has(name))
  return { status, headers: Object.fromEntries(named), body: plain }
}

const KNOWN = ['gzip', 'x-gzip', 'deflate', 'br']
const isKnown = (coding: string): boolean => KNOWN.includes(coding)

async function* decode(body: Readable, codings: readonly string[]): AsyncGenerator<Buffer> {
  const { first, all } = await peek(body)
  if (lookOf(first) !== 'binary') {
    yield* all
    return
  }
  let stream = Readable.from(all)
  for (const coding of codings.toReversed()) {
    // Its error reaches the reader below.
    stream = pipeline(stream, decoderOf(coding, first), () => undefined)
  }
  let bytes = 0
  for await (const chunk of stream) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    bytes += piece.length
    if (bytes > MOST_DECODED_BYTES) throw new Error('the decompressed response is too large')
    yield piece
  }
}

function decoderOf(coding: string, first: Buffer): Transform {
  if (coding === 'br') return createBrotliDecompress()
  if (coding !== 'deflate') return createGunzip()
  // By its name it is zlib's format, but many servers send the bare one.
  const isZlib =
    ((first[0] ?? 0) & 0x0f) === 8 && first.length > 1 && first.readUInt16BE(0) % 31 === 0
  return isZlib ? createInflate() : createInflateRaw()
}
