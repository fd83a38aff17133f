/** One piece of a long string, without the JSON escapes. */
export type Piece = { index: number; bytes: Buffer; isLast: boolean }

export type Extracted = {
  /** The JSON text with every long value replaced by "". */
  text: readonly Buffer[]
  pieces: readonly Piece[]
}

export type JsonStringExtractor = { push(chunk: Buffer): Extracted }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

type State = {
  place: 'outside' | 'in-string' | 'in-long'
  /** An incomplete escape sequence: `\`, `\u00` and so on. */
  escape: string
  /** The latest string, while it can still be the key. */
  word: number[]
  /** Whether the last token was a colon, so that the next string is a value. */
  isValue: boolean
  index: number
}

/**
 * Creates a filter that extracts the string values of one key from streamed JSON, so that megabytes
 * of base64 are never parsed or buffered. It keeps a few bytes between chunks. Strings that only
 * mention the key are not affected, because the text is read token by token.
 */
export function jsonStringExtractor(key: string): JsonStringExtractor {
  const state: State = { place: 'outside', escape: '', word: [], isValue: false, index: -1 }
  return {
    push(chunk) {
      const text: Buffer[] = []
      const pieces: Piece[] = []
      let at = 0
      while (at < chunk.length) {
        if (state.place === 'in-long') {
          const taken = takeLong(state, chunk, at)
          pieces.push(taken.piece)
          if (taken.piece.isLast) text.push(chunk.subarray(taken.end - 1, taken.end))
          at = taken.end
        } else {
          const end = skipPlain(state, { chunk, from: at, key })
          text.push(chunk.subarray(at, end))
          at = end
        }
      }
      return { text, pieces }
    },
  }
}

type Scan = { chunk: Buffer; from: number; key: string }

/**
 * Reads until a long value begins. Returns the position where it begins, or the end of the chunk.
 */
function skipPlain(state: State, { chunk, from, key }: Scan): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0
    if (state.place === 'in-string') inString(state, byte, key.length)
    else if (byte !== QUOTE) between(state, byte)
    else if (openString(state, key)) return at + 1
  }
  return chunk.length
}

function between(state: State, byte: number): void {
  if (byte === COLON) state.isValue = true
  else if (byte > 0x20) {
    state.isValue = false
    state.word = []
  }
}

/** Handles an opening quote. Returns whether the string is a value of the key. */
function openString(state: State, key: string): boolean {
  const isLong = state.isValue && Buffer.from(state.word).toString('latin1') === key
  state.place = isLong ? 'in-long' : 'in-string'
  state.word = []
  if (isLong) state.index += 1
  return isLong
}

function closeString(state: State): void {
  state.place = 'outside'
  state.isValue = false
}

function inString(state: State, byte: number, longestWord: number): void {
  if (state.escape === '' && byte === QUOTE) return closeString(state)
  const plain = unescape(state, byte)
  // Longer than the key: it cannot be the key.
  if (plain === null || state.word.length > longestWord) return
  if (typeof plain === 'number') state.word.push(plain)
  else state.word.push(...plain)
}

/** Reads the long value from `from` to the end of the chunk, or to just after its closing quote. */
function takeLong(state: State, chunk: Buffer, from: number): { piece: Piece; end: number } {
  const parts: Buffer[] = []
  let at = from
  while (at < chunk.length) {
    const end = state.escape === '' ? nextSign(chunk, at) : at
    if (end > at) parts.push(chunk.subarray(at, end))
    at = end
    if (at === chunk.length) break
    const byte = chunk[at] ?? 0
    at += 1
    if (state.escape === '' && byte === QUOTE) {
      closeString(state)
      return { piece: { index: state.index, bytes: Buffer.concat(parts), isLast: true }, end: at }
    }
    const plain = unescape(state, byte)
    if (plain !== null) parts.push(typeof plain === 'number' ? Buffer.of(plain) : plain)
  }
  return { piece: { index: state.index, bytes: Buffer.concat(parts), isLast: false }, end: at }
}

/** Returns the position of the next quote or backslash. */
function nextSign(chunk: Buffer, from: number): number {
  const quote = chunk.indexOf(QUOTE, from)
  const end = quote < 0 ? chunk.length : quote
  const backslash = chunk.subarray(from, end).indexOf(BACKSLASH)
  return backslash < 0 ? end : from + backslash
}

/** Returns the unescaped bytes for the next byte of a string, or null within an escape sequence. */
function unescape(state: State, byte: number): Buffer | number | null {
  if (state.escape === '' && byte !== BACKSLASH) return byte
  state.escape += String.fromCharCode(byte)
  const sign = state.escape.slice(1)
  if (sign === '' || (sign.startsWith('u') && sign.length < 5)) return null
  state.escape = ''
  if (sign.startsWith('u')) return Buffer.from(String.fromCharCode(parseInt(sign.slice(1), 16)))
  return Buffer.from(ESCAPED[sign] ?? sign)
}
