import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

/** Returns a stream that passes bytes on, and a function that returns the hash of what has passed. */
export function hashing() {
  const hash = createHash('sha256')
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { through, digest: () => hash.digest('hex') }
}

/** Reads a stream to its end and returns the hash of its bytes. */
export async function hashOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
