export type Base64Decoder = {
  /** Decodes all complete groups so far. Returns null if the text is not base64. */
  push(piece: Buffer): Buffer | null
  /** Returns the remaining bytes, or null if the text ends in the middle of a byte. */
  end(): Buffer | null
}

/**
 * Creates a streaming base64 decoder (also for the URL alphabet). It buffers at most three
 * characters.
 */
export function base64Decoder(): Base64Decoder {
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
