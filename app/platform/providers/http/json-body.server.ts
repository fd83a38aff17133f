import type { Readable } from 'node:stream'
import type { Body } from './answers'

/** No answer of any provider comes near this, long strings taken out. */
export const MOST_JSON_BYTES = 1024 * 1024
const FIRST_WORDS = 2_000

/**
 * Reads a body as JSON and holds at most `maxBytes` of it. Never throws: what cannot be read is
 * described. A body that is too large is dropped in the middle.
 */
export async function readBody(body: Readable, maxBytes = MOST_JSON_BYTES): Promise<Body> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      const piece = bytesOf(chunk)
      bytes += piece.length
      if (bytes > maxBytes) return { is: 'too-large' }
      chunks.push(piece)
    }
  } catch (error) {
    return { is: 'cut', reason: error instanceof Error ? error.message : String(error) }
  }
  return parseBody(chunks)
}

/** The whole bytes of an answer as a body. */
export function parseBody(chunks: readonly Buffer[]): Body {
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return { is: 'json', value: JSON.parse(text) }
  } catch {
    return { is: 'other', text: text.slice(0, FIRST_WORDS) }
  }
}

/** A piece of a stream that was opened without an encoding. */
export function bytesOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk)
  return Buffer.from(String(chunk))
}
