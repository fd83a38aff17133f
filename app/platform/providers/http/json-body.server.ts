import { gunzipSync } from 'node:zlib'
import { messageOf } from '~/lib/error-facts'
import type { Body } from './responses'
import { bytesOf } from './peek'

/** The size limit of a JSON body. Real responses are far smaller. */
const MOST_JSON_BYTES = 1024 * 1024
const FIRST_WORDS = 2_000

/**
 * Reads a body as JSON, buffering at most `MOST_JSON_BYTES`. Never throws: the result describes a body
 * that cannot be read. Stops reading a body that is too large.
 */
export async function readBody(body: AsyncIterable<unknown>): Promise<Body> {
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
function parseBody(chunks: readonly Buffer[]): Body {
  const text = unzipped(Buffer.concat(chunks))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  try {
    return { is: 'json', value: JSON.parse(withTextForLongNumbers(text)) }
  } catch {
    return { is: 'other', text: text.slice(0, FIRST_WORDS) }
  }
}

/** Some servers compress without saying so. No JSON begins like this. */
function unzipped(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_JSON_BYTES })
  } catch {
    return bytes
  }
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs

/**
 * Quotes whole numbers that JavaScript cannot hold exactly: an order's id of 19 digits must not lose
 * its last ones.
 */
function withTextForLongNumbers(json: string): string {
  if (!/\d{16}/.test(json)) return json
  return json.replaceAll(TOKENS, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  )
}
