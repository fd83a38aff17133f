import type { Readable } from 'node:stream'
import { messageOf } from '~/lib/error-facts'
import { unreadable, type HttpResponse, type Body } from '../http/responses'
import { openSink } from '../http/download-sink.server'
import { MOST_JSON_BYTES, parseBody } from '../http/json-body.server'
import { bytesOf } from '../http/peek'
import { jsonStringExtractor } from '../http/json-strings'
import { ProviderError, type FetchInto } from '../port'

const KEY = 'bytesBase64Encoded'

/** The body of a poll response: its JSON, or only that it contains a clip. */
export type PollBody = { has: 'clip' } | { has: 'no-clip'; body: Body }

/** Reads the body of a poll response. Stops where a clip begins, so no clip is held in memory. */
export async function readPollBody(stream: Readable): Promise<PollBody> {
  const extractor = jsonStringExtractor(KEY)
  const text: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      const extracted = extractor.push(bytesOf(chunk))
      if (extracted.pieces.some((piece) => piece.bytes.length > 0)) return { has: 'clip' }
      bytes += extracted.text.reduce((sum, part) => sum + part.length, 0)
      if (bytes > MOST_JSON_BYTES) return { has: 'no-clip', body: { is: 'too-large' } }
      text.push(...extracted.text)
    }
  } catch (error) {
    return { has: 'no-clip', body: { is: 'cut', reason: messageOf(error) } }
  }
  return { has: 'no-clip', body: parseBody(text) }
}

type BodyClip = {
  response: Omit<HttpResponse, 'body'> & { body: Readable }
  index: number
  into: FetchInto
}

/**
 * Decodes the clip with this index from a poll response into the file, piece by piece. An interrupted
 * download cannot be continued. Throws ProviderError, or the file's own error.
 */
export async function takeBodyClip({
  response,
  index,
  into,
}: BodyClip): Promise<{ bytes: number }> {
  const sink = openSink(into)
  sink.signal.addEventListener('abort', () => response.body.destroy(), { once: true })
  try {
    await sink.restart(null)
    const isWhole = await decodeInto(response.body, index, (bytes) => sink.take(bytes))
    if (!isWhole) {
      const { message } = unreadable('submit', {
        ...response,
        body: { is: 'cut', reason: 'no end' },
      })
      throw new ProviderError({ kind: 'transient' }, 'accepted', { message })
    }
    return { bytes: into.file.bytes() }
  } catch (error) {
    const failure = sink.failure()
    if (failure !== null) throw failure
    if (error instanceof ProviderError) throw error
    const message = `the clip broke off: ${messageOf(error)}`
    throw new ProviderError({ kind: 'transient' }, 'accepted', { message })
  } finally {
    response.body.destroy()
    sink.close()
  }
}

async function decodeInto(
  stream: Readable,
  index: number,
  write: (bytes: Buffer) => Promise<void>,
): Promise<boolean> {
  const extractor = jsonStringExtractor(KEY)
  const decoder = base64Decoder()
  for await (const chunk of stream) {
    for (const piece of extractor.push(bytesOf(chunk)).pieces) {
      if (piece.index !== index) continue
      const decoded = decoder.push(piece.bytes)
      if (decoded === null) throw new Error('it is not base64')
      if (decoded.length > 0) await write(decoded)
      if (!piece.isLast) continue
      const rest = decoder.end()
      if (rest === null) throw new Error('it is not base64')
      if (rest.length > 0) await write(rest)
      return true
    }
  }
  return false
}

type Base64Decoder = {
  /** Decodes all complete groups so far. Returns null if the text is not base64. */
  push(piece: Buffer): Buffer | null
  /** Returns the remaining bytes, or null if the text ends in the middle of a byte. */
  end(): Buffer | null
}

/**
 * Creates a streaming base64 decoder (also for the URL alphabet). It buffers at most three
 * characters.
 */
function base64Decoder(): Base64Decoder {
  let rest = ''
  let padding = 0
  return {
    push(piece) {
      const text = rest + piece.toString('latin1')
      const firstPad = text.indexOf('=')
      const body = firstPad < 0 ? text : text.slice(0, firstPad)
      // Only more padding may follow padding.
      if (padding > 0 && body !== '') return null
      padding += text.length - body.length
      if (padding > 2 || !/^[\w+/-]*$/.test(body) || !/^=*$/.test(text.slice(body.length))) {
        return null
      }
      const whole = padding > 0 ? body.length : body.length - (body.length % 4)
      rest = body.slice(whole)
      return whole % 4 === 1 ? null : Buffer.from(body.slice(0, whole), 'base64')
    },
    end() {
      return rest.length === 1 ? null : Buffer.from(rest, 'base64')
    },
  }
}
