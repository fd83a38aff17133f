import type { Readable } from 'node:stream'
import { seconds } from '~/lib/time'
import { limited } from '../storage/limits'

export type BackupBucket = {
  endpoint: string | undefined
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
}

/** S3 accepts parts from 5 MiB, and 10,000 of them: with these an object of 640 GB. */
const PART_BYTES = 64 * 1024 ** 2
/** How long one part may take, with two retries of the client. */
const PART_MS = seconds(900)

/**
 * Sends a stream of unknown length to a bucket as one object, which exists only once it is complete. If
 * it fails, the parts that were sent are removed.
 */
export async function sendToBucket(
  { bucket: Bucket, accessKeyId, secretAccessKey, endpoint, ...rest }: BackupBucket,
  Key: string,
  bytes: Readable,
): Promise<void> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...rest,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint === undefined ? {} : { endpoint }),
    // Some compatible services reject Amazon's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const within = <T>(send: (abortSignal: AbortSignal) => Promise<T>) =>
    limited(PART_MS, ({ signal }) => send(signal))
  try {
    const { UploadId } = await within((abortSignal) =>
      client.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }), { abortSignal }),
    )
    const upload = { Bucket, Key, UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for await (const Body of partsOf(bytes)) {
        const PartNumber = Parts.length + 1
        const { ETag } = await within((abortSignal) =>
          client.send(new sdk.UploadPartCommand({ ...upload, PartNumber, Body }), { abortSignal }),
        )
        Parts.push({ PartNumber, ETag })
      }
      const complete = { ...upload, MultipartUpload: { Parts } }
      await within((abortSignal) =>
        client.send(new sdk.CompleteMultipartUploadCommand(complete), { abortSignal }),
      )
    } catch (error) {
      await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined)
      throw error
    }
  } finally {
    bytes.destroy()
    client.destroy()
  }
}

async function* partsOf(bytes: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    if (!(chunk instanceof Uint8Array)) continue
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length < PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks)
}
