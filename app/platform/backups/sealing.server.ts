import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

// Backups encrypted with age (https://age-encryption.org): the server has the public key only, so
// that a copy elsewhere can be read with the operator's key alone. `age -d` reads them as well.

/** Loaded when it is used: only backups need it. */
const age = () => import('age-encryption')

/** Returns a file's bytes, encrypted to a public key (age1…). Throws if the key is none. */
export async function sealedFile(file: string, recipient: string): Promise<Readable> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return asNode(await encrypter.encrypt(asWeb(file)))
}

/**
 * Decrypts a file into another one, readable only by its owner, with an identity
 * (AGE-SECRET-KEY-1…). Rejects if it is another key's, or if the file is damaged or cut.
 */
export async function openSealed(file: string, identity: string, target: string): Promise<void> {
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const bytes = asNode(await decrypter.decrypt(asWeb(file)))
  await pipeline(bytes, createWriteStream(target, { mode: 0o600, flush: true }))
}

/** Node and the library have two types for the same streams. */
function asWeb(file: string): ReadableStream<Uint8Array> {
  const chunks = createReadStream(file)[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next: IteratorResult<unknown> = await chunks.next()
      if (next.done === true) controller.close()
      else if (next.value instanceof Uint8Array) controller.enqueue(next.value)
    },
    cancel: async () => {
      await chunks.return?.()
    },
  })
}

const asNode = (stream: ReadableStream<Uint8Array>): Readable =>
  Readable.from(piecesOf(stream), { objectMode: false })

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
