export type Base64Decoder = {
  /** Decodes what is whole so far. Null when something is not base64. */
  push(piece: Buffer): Buffer | null
  /** What was still inside; null when the text ends in the middle of a byte. */
  end(): Buffer | null
}

/** Decodes base64 (also the URL alphabet) that comes in pieces; keeps at most three characters. */
export function base64Decoder(): Base64Decoder {
  let rest = ''
  let padding = 0
  return {
    push(piece) {
      const text = rest + piece.toString('latin1')
      const firstPad = text.indexOf('=')
      const body = firstPad < 0 ? text : text.slice(0, firstPad)
      // Padding ends the text: nothing but more of it may follow.
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
