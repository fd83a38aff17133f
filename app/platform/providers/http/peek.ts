import { FIRST_BYTES } from '../reading/first-bytes'

/** The first bytes of a body, and the whole body including them. */
export type Peeked = { first: Buffer; all: AsyncGenerator<Buffer> }

/** Reads the first bytes of a body. `all` can be read once. Throws the error of the body. */
export async function peek(body: AsyncIterable<unknown>): Promise<Peeked> {
  const source = body[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  while (bytes < FIRST_BYTES) {
    const next = await source.next()
    if (next.done === true) {
      isOver = true
      break
    }
    const piece = bytesOf(next.value)
    bytes += piece.length
    chunks.push(piece)
  }
  const first = Buffer.concat(chunks)
  return { first, all: allOf(chunks, isOver ? null : source) }
}

async function* allOf(
  chunks: readonly Buffer[],
  source: AsyncIterator<unknown> | null,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks
    for (;;) {
      const next = await source?.next()
      if (next === undefined || next.done === true) return
      yield bytesOf(next.value)
    }
  } finally {
    await source?.return?.()
  }
}

/** Returns a chunk of a stream without an encoding as a Buffer. */
export function bytesOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk)
  return Buffer.from(String(chunk))
}
