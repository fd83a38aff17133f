import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

/**
 * Returns the files of an archive in their order, read by an independent reader that verifies every
 * checksum.
 */
export async function readZipFile(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await open(bytes)
  const files = new Map<string, Buffer>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        buffer(stream).then((content) => {
          files.set(entry.fileName, content)
          zip.readEntry()
        }, reject)
      })
    })
    zip.readEntry()
  })
  return files
}

const open = promisify<Buffer, ZipFile>((bytes, done) =>
  yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) =>
    error ? done(error, undefined!) : done(null, zip),
  ),
)
