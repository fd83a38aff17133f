import type { Readable } from 'node:stream'
import { messageOf } from '~/lib/error-facts'
import type { Body } from './answers'

/**
 * The size limit of a JSON body, not counting extracted long strings. Real responses are far
 * smaller.
 */
export const MOST_JSON_BYTES = 1024 * 1024
const FIRST_WORDS = 2_000

/**
 * Reads a body as JSON, buffering at most `MOST_JSON_BYTES`. Never throws: the result describes a body
 * that cannot be read. Stops reading a body that is too large.
 */
export async function readBody(body: Readable): Promise<Body> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      const piece = bytesOf(chunk)
      bytes += piece.length
      if (bytes > MOST_JSON_BYTES) return { is: 'too-large' }
      chunks.push(piece)
    }
  } catch (error) {
    return { is: 'cut', reason: messageOf(error) }
  }
  return parseBody(chunks)
}

/** Parses the complete bytes of a response body. */
export function parseBody(chunks: readonly Buffer[]): Body {
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return { is: 'json', value: JSON.parse(text) }
  } catch {
    return { is: 'other', text: text.slice(0, FIRST_WORDS) }
  }
}

/** Returns a chunk of a stream without an encoding as a Buffer. */
export function bytesOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk)
  return Buffer.from(String(chunk))
}
